/**
 * All benchmarks: `bench/<name>.ts` runs one, prints its table and its budget, and fails if the budget is exceeded.
 * `isCost`: part of the table of `npm run bench -- costs`.
 */
export const benchmarks = [
  {
    name: 'http',
    summary: 'hot reads against a bare node:http server',
    budget:
      'at least 0.90 of its requests per second and 0.85 by CPU time per request; at most 10 % spread over 1,000 to 100,000 loans',
    isCost: true,
  },
  {
    name: 'build',
    summary: 'transaction builders against the official SDK',
    budget: 'at least 20 times its builds per CPU second',
  },
  {
    name: 'decode',
    summary: 'account decoders against the official SDK',
    budget: 'views at least 100 times, full decodes at least 10 times as fast',
  },
  {
    name: 'unknown-bytes',
    summary: 'the check of changed accounts for bytes and values that no layout knows',
    budget: 'at 2,000 account updates a second at most 1 % of a core',
  },
  {
    name: 'math',
    summary: 'statistics of 100,000 loans against the official SDK',
    budget: 'at least 50 times as fast',
  },
  {
    name: 'proof',
    summary: 'replay of transactions of all kinds, as the proof on a running server does it',
    budget: 'at most 10 ms of CPU per transaction',
  },
  {
    name: 'proof-capture',
    summary: 'what the proof costs with its thread: the same stream of updates with and without it',
    budget: 'at 2,000 account updates and 40 transactions a second at most 2 % of a core',
  },
  {
    name: 'proof-reads',
    summary: 'hot reads of two servers that follow one busy node, with the proof and without it',
    budget: 'p99 at most 1.25 times that without it',
  },
  {
    name: 'load',
    summary: 'first load of a cluster with 300,000 loans and 400,000 stakes',
    budget: 'at most 300 bytes per loan and 600 MB at any time',
  },
  {
    name: 'year',
    summary: 'simulation of the embedded cluster’s year, twice',
    budget: 'at most 20 s, the same bytes both times',
  },
  {
    name: 'start',
    summary: 'first start, which simulates the history, and a later start of the stored cluster',
    budget: 'listening after 1.5 s; ready after 15 s, later after 2.5 s',
    isCost: true,
  },
  {
    name: 'memory',
    summary:
      'resident memory one minute after the start: embedded year, and PostgreSQL with 1,000 loans',
    budget: 'at most 300 MB, on PostgreSQL 150 MB',
    isCost: true,
  },
  {
    name: 'idle',
    summary: 'a server that nobody calls, with a year of history: CPU per thread',
    budget: 'at most 4 % of a core',
    isCost: true,
  },
  {
    name: 'heavy',
    summary: 'CPU time of a year of history: the first request of each series, and later ones',
    budget: 'vault 60 and 5 ms, reserve by hour 300 and 50 ms, shares and loan 50 ms later',
    isCost: true,
  },
  {
    name: 'cache',
    summary: 'which cached responses are computed again, and the memory of long URLs',
    budget:
      'a response whose data did not change is never computed again; at most 68 MB with keys, 100 MB of resident memory',
    isCost: true,
  },
  {
    name: 'explorer',
    summary: 'the web app in Chromium: first view, a chart of a year by hour, brushing it',
    budget: 'at most 200 KB compressed, complete after 1 s, drawn in 100 ms, 60 frames/s less 5 %',
    isCost: true,
  },
  {
    name: 'install',
    summary: 'npm ci in a clean clone, and the size of the packages of a server',
    budget: 'at most 15 s and 60 MB',
    isCost: true,
  },
  {
    name: 'growth',
    summary: 'costs of a server with ten times as many loans or days of history',
    budget: 'at most twice, except storage and the first start',
  },
  {
    name: 'lag',
    summary: 'time from the confirmation of a transaction until each kind of read shows it',
    budget: 'p99 at most 1 s',
  },
  {
    name: 'streams',
    summary:
      '1,000 clients that stream a loan from one process: memory per client, CPU per slot, time until the last client has an update; a restart',
    budget:
      'at most 50 KB per client, 50 ms of CPU per slot more than with one client, nothing lost or repeated over the restart',
    isCost: true,
  },
  {
    name: 'mixed',
    summary: 'hot reads at a fixed rate with 4 % history of a year; hot reads beside wide queries',
    budget:
      'p50 at most 5 ms, p99 at most 100 ms, nothing dropped, memory flat; beside: p99 at most 3 times, /health below 50 ms',
    isCost: true,
  },
  {
    name: 'weights',
    summary: 'CPU time of one uncached call of each operation, per unit of its rate limit weight',
    budget: 'at most 3 times the median of all operations',
  },
  {
    name: 'scale',
    summary:
      'a writer and its api processes: one and two of them, 10,000 to 1,000,000 loans, what Redis carries',
    budget:
      'at most 400 bytes of memory per loan in each process, 2 s lag, 250 ms CPU of the writer per 1,000 updates; CPU per request of two api processes at most 1.25 times that of one',
  },
  {
    name: 'feed',
    summary:
      'a snapshot of the state, from the writer to an api process that starts, against every account by itself',
    budget: 'at most 25 µs of CPU per loan, a third of the time of single accounts',
  },
  {
    name: 'mainnet',
    summary:
      'a server on a simulated mainnet: 300,000 loans, 400,000 farm users, 2,000 account updates and 40 transactions per second',
    budget:
      'at most 60 calls per minute when nothing happens, 600 MB of memory while loading; after a drop of its sockets at most twice as many accounts are read as changed',
  },
  {
    name: 'sums',
    summary: 'one pass over the sums of 300,000 loans and 400,000 stakes',
    budget: 'at most 9 s of CPU and 20 MB',
  },
  {
    name: 'drift',
    summary: 'comparing 300,000 loans and 400,000 stakes with the chain, and finding a wrong loan',
    budget: 'at most 38 calls a minute when nothing is wrong',
  },
  {
    name: 'overload',
    summary: 'an api process at the highest rate that it holds, at twice that rate, and afterwards',
    budget:
      'ten minutes without an error, memory at most 1 MB per minute; at twice the rate 503 with retry-after and p99 of the rest at most 3 times; at once afterwards p99 at most 1.5 times',
  },
  {
    name: 'sandbox',
    summary:
      'the cluster for tests without history: start of a process, snapshot, revert, transactions',
    budget: 'ready after 1 s of CPU; 5 ms, 10 ms; 1,000 transfers per second of CPU',
  },
  {
    name: 'history',
    summary: 'history on both database engines against plain SQL',
    budget: 'see its table',
    isCost: true,
  },
] as const;
