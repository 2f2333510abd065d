import type { IncomingHttpHeaders } from 'node:http';

export type AllowedCallers = {
  /** Host names, besides those of loopback, under which the node may be called. */
  readonly hosts: readonly string[];
  /** Origins of web pages, besides those on loopback and of browser extensions. */
  readonly origins: readonly string[];
};

/** Why a request is rejected; undefined if it is allowed. */
export type AccessCheck = (headers: IncomingHttpHeaders) => string | undefined;

export const LOOPBACK_ONLY: AllowedCallers = { hosts: [], origins: [] };

/** A page cannot claim one of these: the browser sets the origin. */
const EXTENSION_PROTOCOLS = ['chrome-extension:', 'moz-extension:', 'safari-web-extension:'];

const HOST_FORM = /^(?:\[[0-9a-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;

/**
 * The node listens on loopback, but any web page can send requests there from the user's browser. The `Host` header
 * reveals a name that a foreign page resolved to loopback (DNS rebinding), `Origin` any other foreign page. Clients that
 * are not browsers send no `Origin`.
 */
export function createAccessCheck({ hosts, origins }: AllowedCallers): AccessCheck {
  const allowedHosts = new Set(hosts.map((host) => host.toLowerCase()));
  const allowedOrigins = new Set(origins.map((origin) => origin.toLowerCase()));
  const isAllowedHost = (host: string | undefined): boolean => {
    const name = host === undefined ? undefined : hostName(host);
    return name !== undefined && (isLoopbackName(name) || allowedHosts.has(name));
  };
  return ({ host, origin }) => {
    if (!isAllowedHost(host)) {
      return 'The Host header is not allowed. Call the node by 127.0.0.1 or localhost, or add the name to LOCALNET_RPC_HOSTS.';
    }
    if (origin === undefined || allowedOrigins.has(origin.toLowerCase())) return undefined;
    if (isLocalOrigin(origin)) return undefined;
    return 'Pages of this origin may not call the node. Serve the page on localhost, or add its origin to LOCALNET_RPC_ORIGINS.';
  };
}

function isLocalOrigin(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  if (EXTENSION_PROTOCOLS.includes(protocol)) return true;
  return (protocol === 'http:' || protocol === 'https:') && isLoopbackName(plainName(hostname));
}

/** Without the port; undefined if it is malformed. */
function hostName(host: string): string | undefined {
  const url = `http://${host}`;
  return HOST_FORM.test(host) && URL.canParse(url) ? plainName(new URL(url).hostname) : undefined;
}

const plainName = (name: string): string => name.replace(/\.$/, '');

/** Resolvers and browsers map `localhost` and the names below it to loopback (RFC 6761). */
const isLoopbackName = (name: string): boolean =>
  name === 'localhost' ||
  name.endsWith('.localhost') ||
  name === '[::1]' ||
  /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name);
