import { defineSetting } from './define-setting.ts';
import { parseInteger, parseOptional } from './setting-parsers.ts';

/** Where the history is stored, and for how long. */
export const historySettings = {
  databaseUrl: defineSetting({
    env: 'DATABASE_URL',
    default: '',
    accepts: 'a postgres:// URL',
    description:
      'PostgreSQL database (version 14 or later) for the history. The default is an embedded database in `DATA_DIR`.',
    parse: (text) => parseOptional(text, parseDatabaseUrl),
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
};

const parseDatabaseUrl = (text: string): string | undefined =>
  /^postgres(ql)?:\/\//.test(text) ? text : undefined;
