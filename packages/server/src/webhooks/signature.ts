import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
/** Standard Webhooks allows 24 to 64. */
const SECRET_BYTES = 32;

export const generateSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

type SignedMessage = {
  readonly id: string;
  /** Seconds since 1970, of the attempt. */
  readonly timestamp: number;
  readonly body: string;
};

/** The headers of Standard Webhooks, with one signature for each secret. */
export function signedHeaders(
  { id, timestamp, body }: SignedMessage,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const content = `${id}.${timestamp}.${body}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => sign(content, secret)).join(' '),
  };
}

function sign(content: string, secret: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}
