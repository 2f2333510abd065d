import type { Logger } from '@tidegate/core/base';

/** Reports once that requests come through a local proxy that is not trusted. */
export type ProxyWarning = {
  /** Call it for each such request. */
  raise(): void;
  /** For the status page. */
  messages(): readonly string[];
};

const MESSAGE =
  'Requests arrive from a proxy on this machine, but TRUSTED_PROXIES does not list it. All its clients share one anonymous rate limit. Set TRUSTED_PROXIES to the address of the proxy, such as 127.0.0.1.';

export function createProxyWarning(log: Logger): ProxyWarning {
  let isRaised = false;
  return {
    raise() {
      if (isRaised) return;
      isRaised = true;
      log.warn({ setting: 'TRUSTED_PROXIES' }, MESSAGE);
    },
    messages: () => (isRaised ? [MESSAGE] : []),
  };
}
