/** The name of a sandbox: one word that can stand in a sentence and in a file's name. */
export const SANDBOX_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
