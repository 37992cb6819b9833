import manifest from "../../package.json" with { type: "json" };

/** The version of this Belljar. */
export const VERSION: string = manifest.version;
