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
  /** Id of the API key; undefined without a valid one. */
  readonly keyId?: string;
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

type CallerIdentity = { readonly outcome: KeyOutcome; readonly keyId?: string };

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
      // a wrong key costs something everywhere, so that nobody can try keys for free
      const units = keyOutcome === 'unknown-key' ? Math.max(weight, 1) : weight;
      if (limits === undefined || units === 0) {
        return key === undefined ? unlimited[keyOutcome] : { ...unlimited.admitted, keyId: key.id };
      }
      if (key !== undefined) {
        const policy = key.policy ?? limits.key;
        const cost = costOf(weight, charged, policy);
        const result = limits.store.take(`key ${key.id}`, cost, policy);
        return admit(result, policy, { outcome: keyOutcome, keyId: key.id });
      }
      const { caller, loopback } = callerOf(request);
      const policy = loopback ? limits.loopback : limits.anonymous;
      const cost = costOf(units, charged, policy);
      return admit(limits.store.take(caller, cost, policy), policy, { outcome: keyOutcome });
    },
  };
}

const costOf = (weight: number, charged: number, { quota }: RateLimitPolicy): number =>
  charged === 0 ? weight : Math.max(0, Math.min(weight, quota - charged));

function admit(
  result: RateLimitResult | Promise<RateLimitResult>,
  policy: RateLimitPolicy,
  identity: CallerIdentity,
): Admission | Promise<Admission> {
  if (result instanceof Promise) {
    return result.then((settled) => toAdmission(settled, policy, identity));
  }
  return toAdmission(result, policy, identity);
}

function toAdmission(
  result: RateLimitResult,
  policy: RateLimitPolicy,
  { outcome, ...key }: CallerIdentity,
): Admission {
  return {
    ...key,
    outcome: result.allowed ? outcome : 'limited',
    policy,
    retryAfterSeconds: result.resetSeconds,
    field: formatRateLimitHeader(policy, result),
  };
}
