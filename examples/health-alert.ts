/**
 * Alerts when the deposits of a loan may fall by less than 10 % until it can be liquidated.
 *
 *   npx tsx examples/health-alert.ts http://127.0.0.1:8080 $TIDEGATE_API_KEY $LOAN http://127.0.0.1:9000
 *
 * A receiver on your own machine needs a server with WEBHOOK_PRIVATE_ADDRESSES=true; others need https.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';

const [server = '', key = '', obligation = '', receiver = ''] = process.argv.slice(2);

const response = await fetch(`${server}/hooks`, {
  method: 'POST',
  headers: { 'x-api-key': key, 'content-type': 'application/json' },
  body: JSON.stringify({
    url: receiver,
    trigger: {
      type: 'loanHealth',
      metric: 'distanceToLiquidation',
      obligation,
      threshold: '0.1',
      direction: 'falling',
    },
  }),
});
if (!response.ok) throw new Error(await response.text());
const hook = (await response.json()) as { readonly id: string; readonly secret: string };

/** Standard Webhooks: HMAC-SHA256 of id, time and body; a delivery older than five minutes is refused. */
function isSigned(headers: IncomingHttpHeaders, body: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const secret = Buffer.from(hook.secret.replace('whsec_', ''), 'base64');
  const digest = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest();
  const signatures = String(headers['webhook-signature']).split(' ');
  return signatures.some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64');
    return given.length === digest.length && timingSafeEqual(given, digest);
  });
}

const seen = new Set<unknown>();
createServer(async (request, reply) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const isValid = isSigned(request.headers, body);
  reply.writeHead(isValid ? 204 : 401).end();
  // deliveries arrive at least once: the same id is the same alert
  const id = request.headers['webhook-id'];
  if (!isValid || seen.has(id)) return;
  seen.add(id);
  const { type, slot, data } = JSON.parse(body);
  console.log(`${type}: ${data.direction} to ${data.value} at slot ${slot}`);
}).listen(new URL(receiver).port, () => console.log(`waiting for ${hook.id}`));
