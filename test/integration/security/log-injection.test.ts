import { expect, test } from 'vitest';
import { createApiKeys, generateApiKey } from '#server/http/auth/api-keys.ts';
import { sendBytes } from '../../support/attacks/raw-socket.ts';
import { startApi } from '../../support/http/test-api.ts';

/** Ends a line of the log, a string of JSON or a sequence of a terminal. */
const FORGED = [
  '"},{"level":30,"msg":"forged',
  '","status":200,"msg":"forged","x":"',
  '\\","forged":"',
  '\u001b[2Jforged',
  '\u009bforged',
  '%0a{"forged":1}',
  '%0d%0aforged',
  'forged\tforged',
  '\u0085forged',
  `\${forged}`,
  '%s%d%jforged',
];

const request = (line: string, headers = ''): string =>
  `${line} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers}\r\n`;

/** The request line is written to the log without escaping, because its fields can have these forms only. */
const FORMS: Readonly<Record<string, RegExp>> = {
  id: /^[\w.:-]{1,64}$/,
  method: /^[A-Z-]+$/,
  route: /^(?:\/[\w./:-]*|unmatched|unreadable)$/,
  keyId: /^[0-9a-f]{12}$/,
};

test('no part of a request reaches its line in the log as it was sent', async () => {
  const { key, record } = generateApiKey('"forged', null, 0);
  const { url, logLines } = await startApi({ keys: createApiKeys([record]) });
  const requests = FORGED.flatMap((text) => [
    request('GET /health', `x-request-id: ${text}\r\n`),
    request('GET /health', `x-api-key: ${text}\r\n`),
    request('GET /health', `x-api-key: ${key}${text}\r\n`),
    request('GET /health', `user-agent: ${text}\r\nreferer: ${text}\r\nhost: ${text}\r\n`),
    request('GET /health', `x-forwarded-for: ${text}\r\ntraceparent: ${text}\r\n`),
    request(`GET /${text.replaceAll(/[\t ]/g, '')}`),
    request(`GET /klend/loans/${encodeURIComponent(text)}`),
    request(`GET /health?${encodeURIComponent(text)}`),
    request(`${text} /health`),
  ]);
  for (const each of [...requests, request('GET /health', `x-api-key: ${key}\r\n`)]) {
    await sendBytes(url, each);
  }
  await expect.poll(() => logLines.length).toBeGreaterThanOrEqual(requests.length + 1);
  for (const { fields, message } of logLines) {
    expect(JSON.stringify({ fields, message })).not.toContain('forged');
    for (const [name, form] of Object.entries(FORMS)) {
      const value = fields[name];
      if (value !== undefined) expect(value, name).toMatch(form);
    }
    expect(typeof fields['status']).toBe('number');
  }
  expect(logLines.some(({ fields }) => fields['keyId'] === record.id)).toBe(true);
});
