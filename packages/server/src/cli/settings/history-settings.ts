import { defineSetting } from './define-setting.ts';
import { parseInteger, parseOptional } from './setting-parsers.ts';

/** Where the past is kept, and how much of it. */
export const historySettings = {
  databaseUrl: defineSetting({
    env: 'DATABASE_URL',
    default: '',
    accepts: 'a postgres:// URL',
    sentence:
      'PostgreSQL (14 or later) that the history is kept in; without one, an embedded database in `DATA_DIR`.',
    parse: (text) => parseOptional(text, parseDatabaseUrl),
  }),
  minutesDays: defineSetting({
    env: 'HISTORY_MINUTES_DAYS',
    default: '30',
    accepts: 'a whole number from 1 to 3650',
    sentence:
      'For how many days samples by the minute are kept; those by the hour and the day stay for good.',
    parse: (text) => parseInteger(text, 1, 3_650),
  }),
  rawDays: defineSetting({
    env: 'HISTORY_RAW_DAYS',
    default: '30',
    accepts: 'a whole number from 0 to 3650',
    sentence:
      'For how many days of the chain’s time accounts and transactions are kept as they came, from which `tidegate replay` makes rows again; 0 keeps them for good.',
    parse: (text) => parseInteger(text, 0, 3_650),
  }),
};

const parseDatabaseUrl = (text: string): string | undefined =>
  /^postgres(ql)?:\/\//.test(text) ? text : undefined;
