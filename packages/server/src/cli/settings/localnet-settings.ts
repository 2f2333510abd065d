import { defineSetting } from './define-setting.ts';
import {
  parseHosts,
  parseInteger,
  parseOptional,
  parseOrigins,
  parsePrograms,
  parseTimestamp,
} from './setting-parsers.ts';

/** The embedded cluster. */
export const localnetSettings = {
  localnetRpcPort: defineSetting({
    env: 'LOCALNET_RPC_PORT',
    default: '8899',
    accepts: 'a whole number from 0 to 65534',
    description:
      'JSON-RPC port N of the embedded cluster on loopback. WebSocket listens on N and N+1. Ports N and N+1 must both be free; the next free pair is used if this is not set and the default is in use. 0 selects a free port for both.',
    parse: (text) => parseInteger(text, 0, 65_534),
  }),
  localnetRpcHosts: defineSetting({
    env: 'LOCALNET_RPC_HOSTS',
    default: '',
    accepts: 'a comma-separated list of host names or IP addresses, without ports',
    description:
      'Names in the `Host` header, besides `localhost` and loopback addresses, under which the RPC of the embedded cluster may be called, such as that of a proxy.',
    parse: parseHosts,
  }),
  localnetRpcOrigins: defineSetting({
    env: 'LOCALNET_RPC_ORIGINS',
    default: '',
    accepts: 'a comma-separated list of origins such as https://wallet.example',
    description:
      'Origins of web pages that may call the RPC of the embedded cluster, besides pages on loopback and browser extensions.',
    parse: parseOrigins,
  }),
  localnetSeed: defineSetting({
    env: 'LOCALNET_SEED',
    default: '',
    accepts: 'any text',
    description:
      'Seed of the embedded cluster. The default is `tidegate`. The same seed, days and end give the same cluster.',
    parse: (text) => parseOptional(text, (seed) => seed),
  }),
  localnetDays: defineSetting({
    env: 'LOCALNET_DAYS',
    default: '',
    accepts: 'a whole number from 1 to 3650',
    description:
      'Number of days of history to simulate at the first start. The default is 31; 365 takes about a minute.',
    parse: (text) => parseOptional(text, (days) => parseInteger(days, 1, 3_650)),
  }),
  localnetUntil: defineSetting({
    env: 'LOCALNET_UNTIL',
    default: '',
    accepts:
      'a date such as 2026-01-31 or a time such as 2026-01-31T12:00:00Z, from 2021 up to now',
    description: 'End of the simulated history. The default is the time of the first start.',
    parse: (text) => parseOptional(text, (time) => parseTimestamp(time, Date.now())),
  }),
  localnetSpeed: defineSetting({
    env: 'LOCALNET_SPEED',
    default: '1',
    accepts: 'a whole number from 1 to 1000',
    description: 'Speed of the embedded cluster after its start, relative to the wall clock.',
    parse: (text) => parseInteger(text, 1, 1_000),
  }),
  localnetPrograms: defineSetting({
    env: 'LOCALNET_PROGRAMS',
    default: '',
    accepts:
      'a folder, or releases such as klend@1.16,kvault@2.1.1, which may start at a slot (klend@1.24,klend@1.25:440486775), or mainnet for those that mainnet ran in each slot',
    description:
      'Folder with program binaries, as `tidegate programs pull` writes them, which the embedded cluster runs instead of the built-in program models (needs the package `litesvm`); or the releases that the models follow, by default the newest.',
    parse: parsePrograms,
  }),
};
