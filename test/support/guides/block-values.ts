/** What surrounds a program that shows how to use values of its reader. */
export type BlockValues = { readonly before: string; readonly after: string };

const TIDEGATE = 'http://127.0.0.1:8080';

/** The published example of Standard Webhooks: id, time, secret, body and signature. */
const SIGNED = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: '1614265330',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

const signedHeaders = JSON.stringify({
  'webhook-id': SIGNED.id,
  'webhook-timestamp': SIGNED.timestamp,
  'webhook-signature': SIGNED.signature,
});

/** By the document. A program of it is run between these lines, which define its values and show its result. */
export const blockValues: Readonly<Record<string, BlockValues>> = {
  'docs/verifier.md': {
    before: [
      `const { demo } = await (await fetch('${TIDEGATE}/status')).json();`,
      'const { wallet, rpcUrl } = demo;',
      'const kvault = demo.vaultDeposit.kvault;',
      "const headers = { 'content-type': 'application/json' };",
      "const body = JSON.stringify({ wallet, kvault, amount: '10' });",
      `const answer = await fetch('${TIDEGATE}/ktx/kvault/deposit', { method: 'POST', headers, body });`,
      'const { transaction } = await answer.json();',
    ].join('\n'),
    after: "console.log(verdict === 'accepted' && instructions.length > 0);",
  },
  'docs/webhooks.md': {
    before: `Date.now = () => ${SIGNED.timestamp}000;`,
    after: [
      `const headers = ${signedHeaders};`,
      `const isRight = isSigned(headers, '${SIGNED.body}', '${SIGNED.secret}');`,
      `console.log(isRight && !isSigned(headers, '{}', '${SIGNED.secret}'));`,
    ].join('\n'),
  },
  'packages/core/README.md': {
    before: [
      "import { readFileSync } from 'node:fs';",
      "import { decodeBase64, klend as program } from '@tidegate/core/protocol';",
      "const data = decodeBase64(readFileSync('reserve.base64', 'utf8').trim());",
      'const account = { owner: program.KLEND_PROGRAM, data };',
    ].join('\n'),
    after: 'console.log(supplyApy.numerator > 0n);',
  },
};

/** The program of `docs/webhooks.md` in Python. */
export const pythonValues: BlockValues = {
  before: '',
  after: [
    `time.time = lambda: ${SIGNED.timestamp}`,
    `headers = ${signedHeaders}`,
    `print(is_signed(headers, b'${SIGNED.body}', '${SIGNED.secret}') and not is_signed(headers, b'{}', '${SIGNED.secret}'))`,
  ].join('\n'),
};
