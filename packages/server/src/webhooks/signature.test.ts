import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../test/support/properties/assert-property.ts';
import { generateSecret, signedHeaders } from './signature.ts';

test('a signature equals that of the reference libraries of Standard Webhooks', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1614265330,
    body: '{"test": 2432232314}',
  };
  expect(signedHeaders(message, [secret])).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('property: each secret signs id, time and body, separated by full stops', () => {
  const keys = fc.array(fc.uint8Array({ minLength: 24, maxLength: 64 }), {
    minLength: 1,
    maxLength: 3,
  });
  assertProperty(
    fc.property(keys, fc.nat(), fc.string({ unit: 'grapheme' }), (secrets, timestamp, body) => {
      const texts = secrets.map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`);
      const headers = signedHeaders({ id: 'msg_1', timestamp, body }, texts);
      const content = Buffer.concat([Buffer.from(`msg_1.${timestamp}.`), Buffer.from(body)]);
      const expected = secrets.map(
        (bytes) => `v1,${createHmac('sha256', bytes).update(content).digest('base64')}`,
      );
      expect(headers['webhook-signature']).toBe(expected.join(' '));
    }),
    100,
  );
});

test('a secret has 32 random bytes', () => {
  const secrets = Array.from({ length: 50 }, generateSecret);
  expect(new Set(secrets).size).toBe(50);
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  }
});
