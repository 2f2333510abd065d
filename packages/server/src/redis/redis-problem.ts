/** Why Redis does not do what it should, and what to do. `unreachable`: any other error. */
export type RedisProblem = {
  readonly kind: string;
  /** A sentence. */
  readonly action: string;
};

type KnownProblem = RedisProblem & { readonly pattern: RegExp };

/** By the first word of an error reply. */
const KNOWN: readonly KnownProblem[] = [
  {
    kind: 'refused',
    pattern: /^(WRONGPASS|NOAUTH|ERR AUTH|ERR invalid password)/,
    action: 'Correct user and password in REDIS_URL.',
  },
  {
    kind: 'not-permitted',
    pattern: /^NOPERM/,
    action: 'Let the user of REDIS_URL run all commands on the keys of this server.',
  },
  {
    kind: 'read-only',
    pattern: /^READONLY/,
    action: 'Connect REDIS_URL to the primary server: this one is a replica.',
  },
  {
    kind: 'full',
    pattern: /^OOM/,
    action: 'Raise maxmemory of Redis, or remove the keys of others.',
  },
  {
    kind: 'not-stored',
    pattern: /^MISCONF/,
    action: 'Redis cannot store its data: free space on its disk, or turn its snapshots off.',
  },
  { kind: 'loading', pattern: /^LOADING/, action: 'Wait until Redis has loaded its data.' },
  {
    kind: 'busy',
    pattern: /^ERR max number of clients/,
    action: 'Raise maxclients of Redis, or run fewer processes.',
  },
];

export const UNREACHABLE: RedisProblem = {
  kind: 'unreachable',
  action: 'Check that Redis runs and has free connections, and the address in REDIS_URL.',
};

/** What an error of a command or of a connection means. */
export function redisProblemOf(error: unknown): RedisProblem {
  const text = error instanceof Error ? error.message : String(error);
  return KNOWN.find(({ pattern }) => pattern.test(text)) ?? UNREACHABLE;
}
