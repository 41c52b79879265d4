/** Names by which an interface may be asked: a page whose name was bound to this machine's address is no such name. */
import { isIP } from "node:net";

export class AllowedHosts {
  readonly #names: ReadonlySet<string>;

  /** `names`: host names and addresses without a port, in addition to those of this machine. */
  constructor(names: readonly string[] = []) {
    this.#names = new Set(names.map((name) => hostnameOf(name) ?? name));
  }

  /** Returns true if a server that listens on the address `bound` answers to this value of the header Host. */
  allows(authority: string, bound: string): boolean {
    const hostname = hostnameOf(authority);
    if (hostname === undefined) return false;
    return this.#names.has(hostname) || isLoopback(hostname) || isBound(hostname, bound);
  }

  /** Returns true if pages of this value of the header Origin may ask the server. */
  allowsOrigin(origin: string, bound: string): boolean {
    const [scheme, authority] = origin.split("://", 2);
    return (scheme === "http" || scheme === "https") && authority !== undefined && this.allows(authority, bound);
  }
}

/** Returns the host of an authority in the one form that URLs have, without its port; `undefined` if it has none. */
export function hostnameOf(authority: string): string | undefined {
  const bracketed = isIP(authority) === 6 ? `[${authority}]` : authority;
  const url = `http://${bracketed}`;
  if (!/^[\w.:[\]-]+$/.test(authority) || !URL.canParse(url)) return undefined;
  return new URL(url).hostname.replace(/\.$/, "");
}

function isLoopback(hostname: string): boolean {
  if (hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]") return true;
  return isIP(hostname) === 4 && hostname.startsWith("127.");
}

/** Every address is bound where the server listens on all. No name server can give a page an address for its name. */
function isBound(hostname: string, bound: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, "");
  return bound === "0.0.0.0" || bound === "::" ? isIP(address) !== 0 : address === bound;
}
