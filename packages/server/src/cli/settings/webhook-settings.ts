import { defineSetting } from './define-setting.ts';
import { parseBoolean, parseInteger } from './setting-parsers.ts';

/** Webhooks. */
export const webhookSettings = {
  webhookPrivateAddresses: defineSetting({
    env: 'WEBHOOK_PRIVATE_ADDRESSES',
    default: 'false',
    accepts: 'true or false',
    description:
      'Whether webhooks may be sent to this machine and its network, and over http. Only for development: whoever has an API key chooses the addresses.',
    parse: parseBoolean,
  }),
  webhookLogDays: defineSetting({
    env: 'WEBHOOK_LOG_DAYS',
    default: '30',
    accepts: 'a whole number from 1 to 3650',
    description: 'Number of days to store finished deliveries of webhooks, which can be replayed.',
    parse: (text) => parseInteger(text, 1, 3_650),
  }),
};
