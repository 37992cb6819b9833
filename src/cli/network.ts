import type { Settings } from "../policy/settings.ts";
import type { OpenNetwork } from "../sandbox/network.ts";

/** The network that the settings open; nothing of it is loaded when they open none. */
export async function networkFor({ grants, secretValues }: Settings): Promise<OpenNetwork | undefined> {
  if (grants.net.length === 0) return undefined;
  const { networkOf } = await import("../sandbox/network.ts");
  const { resolveBySystem } = await import("../host/net/connector.ts");
  return networkOf({
    grants: grants.net,
    secrets: grants.secrets.map(({ name, host }) => ({ name, host, value: secretValues[name] ?? "" })),
    limits: grants.netLimits,
    resolve: resolveBySystem,
  });
}
