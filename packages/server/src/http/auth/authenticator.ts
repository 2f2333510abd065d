import type { IncomingMessage } from 'node:http';
import { createCallerResolver, type TrustedProxies } from '../limits/client-address.ts';
import {
  formatRateLimitHeader,
  type RateLimitPolicy,
  type RateLimitResult,
  type RateLimitStore,
} from '../limits/rate-limit.ts';
import { type ApiKeys, readApiKeyHeader } from './api-keys.ts';

export type RateLimits = {
  readonly store: RateLimitStore;
  readonly anonymous: RateLimitPolicy;
  readonly loopback: RateLimitPolicy;
  readonly key: RateLimitPolicy;
};

export type Admission = {
  readonly outcome: 'admitted' | 'limited' | 'unknown-key';
  readonly policy: RateLimitPolicy | undefined;
  /** Seconds to wait when limited. */
  readonly retryAfterSeconds: number;
  /** The `RateLimit` field; empty when nothing is limited. */
  readonly field: string;
};

/** Says who calls and whether they may, and charges them. */
export type Authenticator = {
  readonly admit: (request: IncomingMessage, weight: number) => Admission | Promise<Admission>;
};

type GatekeeperOptions = {
  readonly limits: RateLimits | undefined;
  readonly keys: ApiKeys;
  readonly trustedProxies: TrustedProxies;
};

type Granted = 'admitted' | 'unknown-key';

const free: Readonly<Record<Granted, Admission>> = {
  admitted: { outcome: 'admitted', policy: undefined, retryAfterSeconds: 0, field: '' },
  'unknown-key': { outcome: 'unknown-key', policy: undefined, retryAfterSeconds: 0, field: '' },
};

/** An unknown key is refused, and charged to the address it comes from. */
export function createAuthenticator(options: GatekeeperOptions): Authenticator {
  const { limits, keys } = options;
  const callerOf = createCallerResolver(options.trustedProxies);
  return {
    admit: (request, weight) => {
      const presented = readApiKeyHeader(request.headers);
      const key = presented === undefined ? undefined : keys.find(presented);
      const granted = presented !== undefined && key === undefined ? 'unknown-key' : 'admitted';
      if (limits === undefined || weight === 0) return free[granted];

      if (key !== undefined) {
        const policy = key.policy ?? limits.key;
        return judge(limits.store.take(`key ${key.id}`, weight, policy), policy, granted);
      }
      const { caller, loopback } = callerOf(request);
      const policy = loopback ? limits.loopback : limits.anonymous;
      return judge(limits.store.take(caller, weight, policy), policy, granted);
    },
  };
}

function judge(
  verdict: RateLimitResult | Promise<RateLimitResult>,
  policy: RateLimitPolicy,
  granted: Granted,
): Admission | Promise<Admission> {
  if (verdict instanceof Promise) {
    return verdict.then((settled) => toAdmission(settled, policy, granted));
  }
  return toAdmission(verdict, policy, granted);
}

function toAdmission(
  verdict: RateLimitResult,
  policy: RateLimitPolicy,
  granted: Granted,
): Admission {
  return {
    outcome: verdict.allowed ? granted : 'limited',
    policy,
    retryAfterSeconds: verdict.resetSeconds,
    field: formatRateLimitHeader(policy, verdict),
  };
}
