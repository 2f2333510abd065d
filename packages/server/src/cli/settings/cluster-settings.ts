import { parseRpcBudget, RPC_BUDGET_FORM } from '../../chain/budget/rpc-budget.ts';
import { CLUSTER_NAMES } from '../../clusters/served-clusters.ts';
import { defineSetting } from './define-setting.ts';
import { ENV_ALIAS_FORM, parseEnvAliases } from './env-aliases.ts';
import {
  parseInteger,
  parseOneOf,
  parseOptional,
  parseRegistryLocation,
  parseReleases,
  parseUrls,
  parseWsUrls,
} from './setting-parsers.ts';

/** Which clusters are served, and from which endpoints. */
export const clusterSettings = {
  rpcUrl: defineSetting({
    env: 'RPC_URL',
    default: '',
    accepts: 'a comma-separated list of http(s) URLs',
    description:
      'JSON-RPC endpoints of the primary cluster, best first. Without one, the server starts and serves an embedded localnet.',
    parse: parseUrls(['http:', 'https:']),
  }),
  wsUrl: defineSetting({
    env: 'WS_URL',
    default: '',
    accepts: 'a comma-separated list of ws(s) URLs, or none',
    description:
      'WebSocket endpoints, in the order of `RPC_URL`. The default is the addresses of `RPC_URL`. `none` polls instead.',
    parse: parseWsUrls,
  }),
  geyserUrl: defineSetting({
    env: 'GEYSER_URL',
    default: '',
    accepts: 'an http(s) URL',
    description: 'Yellowstone gRPC endpoint of the primary cluster, used before WebSocket.',
    parse: parseUrls(['http:', 'https:']),
  }),
  geyserToken: defineSetting({
    env: 'GEYSER_TOKEN',
    default: '',
    accepts: 'any text',
    description: 'Access token for `GEYSER_URL`.',
    parse: (text) => text,
  }),
  cluster: defineSetting({
    env: 'CLUSTER',
    default: 'mainnet-beta',
    accepts: CLUSTER_NAMES.join(', '),
    description: 'Name of the cluster of `RPC_URL`. The server compares its genesis hash.',
    parse: (text) => parseOneOf(text, CLUSTER_NAMES),
  }),
  rpcUrlDevnet: defineSetting({
    env: 'RPC_URL_DEVNET',
    default: '',
    accepts: 'a comma-separated list of http(s) URLs',
    description: 'JSON-RPC endpoints of devnet, to serve it in addition to the primary cluster.',
    parse: parseUrls(['http:', 'https:']),
  }),
  rpcUrlMainnet: defineSetting({
    env: 'RPC_URL_MAINNET',
    default: '',
    accepts: 'a comma-separated list of http(s) URLs',
    description:
      'JSON-RPC endpoints of mainnet-beta, to serve it in addition to the primary cluster.',
    parse: parseUrls(['http:', 'https:']),
  }),
  programReleases: defineSetting({
    env: 'PROGRAM_RELEASES',
    default: '',
    accepts:
      'releases such as klend@1.16,kvault@2.1.1, which may start at a slot (klend@1.24,klend@1.25:440486775), or mainnet for those that mainnet ran in each slot',
    description:
      'Releases of the programs that the cluster of `RPC_URL` runs, by whose rules figures are computed. By default those that mainnet ran in each slot, and on other clusters the newest.',
    parse: parseReleases,
  }),
  envAliases: defineSetting({
    env: 'ENV_ALIASES',
    default: '',
    accepts: ENV_ALIAS_FORM,
    description:
      'Further values of the parameter `env`, for clients that always send the same one. A name alone is an alias of the primary cluster. The header `x-env` has the name of the cluster that is served.',
    parse: parseEnvAliases,
  }),
  commitment: defineSetting({
    env: 'COMMITMENT',
    default: 'confirmed',
    accepts: 'confirmed or finalized',
    description: 'Commitment level of the served data.',
    parse: (text) => parseOneOf(text, ['confirmed', 'finalized'] as const),
  }),
  obligations: defineSetting({
    env: 'OBLIGATIONS',
    default: 'all',
    accepts: 'all or on-demand',
    description:
      'Which loans to follow: all loans of the program, or each loan after its first request. Use `on-demand` with endpoints that reject large scans.',
    parse: (text) => parseOneOf(text, ['all', 'on-demand'] as const),
  }),
  rpcBudget: defineSetting({
    env: 'RPC_BUDGET',
    default: '',
    accepts: RPC_BUDGET_FORM,
    description:
      'What may be used of each JSON-RPC endpoint by this process. Calls above the rate wait: those of requests go first, then those that follow the cluster, then those that load history. When the bytes of the UTC day are used up, nothing more is read until the next one. Streams do not count.',
    parse: (text) => parseOptional(text, parseRpcBudget),
  }),
  pollSeconds: defineSetting({
    env: 'POLL_SECONDS',
    default: '15',
    accepts: 'a whole number from 1 to 45',
    description:
      'If no endpoint sends updates: seconds between two reads of markets, reserves, vaults, farms and prices. Loans and stakes are read every eighth time, or less often if that takes long.',
    parse: (text) => parseInteger(text, 1, 45),
  }),
  driftCheckSeconds: defineSetting({
    env: 'DRIFT_CHECK_SECONDS',
    default: '',
    accepts: 'a whole number from 5 to 86400, or 0',
    description:
      'Time in which every market, reserve, vault, farm and price is read again and compared with state, because a stream can lose updates without a sign (docs/mainnet.md). The default is 60, and 0 for the embedded cluster. 0 turns the check off, that of loans too.',
    parse: (text) => parseOptional(text, parseCheckSeconds),
  }),
  driftCheckUsersSeconds: defineSetting({
    env: 'DRIFT_CHECK_USERS_SECONDS',
    default: '',
    accepts: 'a whole number from 60 to 604800',
    description:
      'The same for all loans, stakes and shares. The default is 3600. Every 24th time they are read as a whole, otherwise some bytes of each.',
    parse: (text) => parseOptional(text, (seconds) => parseInteger(seconds, 60, 604_800)),
  }),
  maxLagSlots: defineSetting({
    env: 'MAX_LAG_SLOTS',
    default: '150',
    accepts: 'a whole number from 1 to 1000000',
    description: 'Number of slots that state may lag before `/ready` returns 503.',
    parse: (text) => parseInteger(text, 1, 1_000_000),
  }),
  registry: defineSetting({
    env: 'REGISTRY',
    default: '',
    accepts: 'the path of a JSON file, or an http(s) URL',
    description:
      'Off-chain metadata: market names and lookup tables, tokens, reward seasons, stake pools. Extends the built-in registry of mainnet-beta.',
    parse: parseRegistryLocation,
  }),
};

const parseCheckSeconds = (text: string): number | undefined =>
  text === '0' ? 0 : parseInteger(text, 5, 86_400);
