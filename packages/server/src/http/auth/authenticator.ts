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
  /** Seconds to wait if limited. */
  readonly retryAfterSeconds: number;
  /** Value of the `RateLimit` header; empty if rate limiting is off. */
  readonly field: string;
};

/** Identifies the caller, checks the rate limit and charges the request. */
export type Authenticator = {
  readonly authenticate: (
    request: IncomingMessage,
    weight: number,
    /** Units that the same request was charged before; with them it costs the quota at most. */
    charged?: number,
  ) => Admission | Promise<Admission>;
};

type AuthenticatorOptions = {
  readonly limits: RateLimits | undefined;
  readonly keys: ApiKeys;
  readonly trustedProxies: TrustedProxies;
  readonly onUntrustedProxy: () => void;
};

type KeyOutcome = 'admitted' | 'unknown-key';

const unlimited: Readonly<Record<KeyOutcome, Admission>> = {
  admitted: { outcome: 'admitted', policy: undefined, retryAfterSeconds: 0, field: '' },
  'unknown-key': { outcome: 'unknown-key', policy: undefined, retryAfterSeconds: 0, field: '' },
};

/** A request with an unknown key is rejected and charged to its address. */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { limits, keys } = options;
  const callerOf = createCallerResolver(options.trustedProxies, options.onUntrustedProxy);
  return {
    authenticate: (request, weight, charged = 0) => {
      const presented = readApiKeyHeader(request.headers);
      const key = presented === undefined ? undefined : keys.find(presented);
      const keyOutcome = presented !== undefined && key === undefined ? 'unknown-key' : 'admitted';
      if (limits === undefined || weight === 0) return unlimited[keyOutcome];

      if (key !== undefined) {
        const policy = key.policy ?? limits.key;
        const cost = costOf(weight, charged, policy);
        return admit(limits.store.take(`key ${key.id}`, cost, policy), policy, keyOutcome);
      }
      const { caller, loopback } = callerOf(request);
      const policy = loopback ? limits.loopback : limits.anonymous;
      const cost = costOf(weight, charged, policy);
      return admit(limits.store.take(caller, cost, policy), policy, keyOutcome);
    },
  };
}

const costOf = (weight: number, charged: number, { quota }: RateLimitPolicy): number =>
  charged === 0 ? weight : Math.max(0, Math.min(weight, quota - charged));

function admit(
  result: RateLimitResult | Promise<RateLimitResult>,
  policy: RateLimitPolicy,
  keyOutcome: KeyOutcome,
): Admission | Promise<Admission> {
  if (result instanceof Promise) {
    return result.then((settled) => toAdmission(settled, policy, keyOutcome));
  }
  return toAdmission(result, policy, keyOutcome);
}

function toAdmission(
  result: RateLimitResult,
  policy: RateLimitPolicy,
  keyOutcome: KeyOutcome,
): Admission {
  return {
    outcome: result.allowed ? keyOutcome : 'limited',
    policy,
    retryAfterSeconds: result.resetSeconds,
    field: formatRateLimitHeader(policy, result),
  };
}
