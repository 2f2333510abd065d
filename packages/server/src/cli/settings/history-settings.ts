import { defineSetting } from './define-setting.ts';
import { parseInteger, parseOneOf, parseOptional } from './setting-parsers.ts';

/** What is recorded, where it is stored, and for how long. */
export const historySettings = {
  historyMode: defineSetting({
    env: 'HISTORY',
    default: 'full',
    accepts: 'full, events-on-demand or off',
    description:
      'What is recorded. `full`: series and all events. `events-on-demand`: series, and the events of a position when it is requested, which needs fewer calls. `off`: nothing. Several processes need `full`, and the embedded cluster always records everything.',
    parse: (text) => parseOneOf(text, ['full', 'events-on-demand', 'off'] as const),
  }),
  databaseUrl: defineSetting({
    env: 'DATABASE_URL',
    default: '',
    accepts: 'a postgres:// URL',
    description:
      'PostgreSQL database (version 14 or later) for the history. The default is an embedded database in `DATA_DIR`.',
    parse: (text) => parseOptional(text, parseDatabaseUrl),
  }),
  readDatabaseUrl: defineSetting({
    env: 'READ_DATABASE_URL',
    default: '',
    accepts: 'a postgres:// URL',
    description:
      'Replica of `DATABASE_URL` for the reads of requests. The default is `DATABASE_URL`.',
    parse: (text) => parseOptional(text, parseDatabaseUrl),
  }),
  redisUrl: defineSetting({
    env: 'REDIS_URL',
    default: '',
    accepts: 'a redis:// or rediss:// URL',
    description:
      'Redis (version 6.2 or later), which `tidegate index` publishes state to and `tidegate api` reads it from. All servers with it share rate limits and API keys. Give each deployment a database number of its own.',
    parse: (text) => parseOptional(text, parseRedisUrl),
  }),
  minuteRetentionDays: defineSetting({
    env: 'HISTORY_MINUTES_DAYS',
    default: '30',
    accepts: 'a whole number from 1 to 3650',
    description:
      'Number of days to store minute samples. Hourly and daily samples are stored forever.',
    parse: (text) => parseInteger(text, 1, 3_650),
  }),
  rawRetentionDays: defineSetting({
    env: 'HISTORY_RAW_DAYS',
    default: '30',
    accepts: 'a whole number from 0 to 3650',
    description:
      'Number of days, in chain time, to store raw accounts and transactions. `tidegate replay` rebuilds the history from them. 0 stores them forever.',
    parse: (text) => parseInteger(text, 0, 3_650),
  }),
  proofCpuPercent: defineSetting({
    env: 'PROOF_CPU_PERCENT',
    default: '2',
    accepts: 'a whole number from 0 to 100',
    description:
      'CPU time, in percent of one core, to execute observed transactions again and compare every account (docs/proof.md). If there are more, a sample of periods at random times. 0 turns it off.',
    parse: (text) => parseInteger(text, 0, 100),
  }),
};

const parseRedisUrl = (text: string): string | undefined =>
  /^rediss?:\/\//.test(text) && URL.canParse(text) ? text : undefined;

const parseDatabaseUrl = (text: string): string | undefined =>
  /^postgres(ql)?:\/\//.test(text) ? text : undefined;
