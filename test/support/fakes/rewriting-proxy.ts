import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { encodeBase64 } from '#core/base/encoding/base64.ts';
import { CLOCK_SYSVAR } from '#core/base/solana/clock-sysvar.ts';

type Call = { readonly id: unknown; readonly method: string; readonly params: readonly unknown[] };
type Answer = Record<string, unknown>;

/** A proxy that changes what a node says over HTTP. Stops with the test. */
export type RewritingProxy = {
  readonly rpcUrl: URL;
  /** Where requests go. */
  target: string;
  /** Added to every slot: of responses, contexts and the clock account. */
  slotsAhead: number;
  /** Whether connections are refused. */
  isDead: boolean;
};

export async function startRewritingProxy(nodeUrl: string): Promise<RewritingProxy> {
  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    let text = '';
    for await (const chunk of incoming) text += String(chunk);
    if (proxy.isDead) {
      response.destroy();
      return;
    }
    const headers = { 'content-type': 'application/json' };
    // without compression, so that the clock can be changed
    const body = text
      .replaceAll('base64+zstd', 'base64')
      .replace(/"minContextSlot":\d+/, replaceSlot);
    const answered = await fetch(proxy.target, { method: 'POST', headers, body });
    const [calls, answers] = [JSON.parse(text), JSON.parse(await answered.text())];
    response.end(JSON.stringify(rewriteAll(calls, answers, proxy.slotsAhead)));
  };
  const replaceSlot = (text: string) =>
    `"minContextSlot":${Math.max(0, Number(text.slice(17)) - proxy.slotsAhead)}`;
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const rpcUrl = new URL(`http://127.0.0.1:${port}/`);
  const proxy: RewritingProxy = { rpcUrl, target: nodeUrl, slotsAhead: 0, isDead: false };
  return proxy;
}

function rewriteAll(calls: Call | readonly Call[], answers: unknown, ahead: number): unknown {
  if (!Array.isArray(answers)) return rewrite(calls as Call, answers as Answer, ahead);
  const byId = new Map((calls as readonly Call[]).map((call) => [call.id, call]));
  return answers.map((answer: Answer) => {
    const call = byId.get(answer['id']);
    return call === undefined ? answer : rewrite(call, answer, ahead);
  });
}

function rewrite({ method, params }: Call, answer: Answer, ahead: number): Answer {
  const { result } = answer;
  if (method === 'getSlot') return { ...answer, result: Number(result) + ahead };
  if (typeof result !== 'object' || result === null || !('context' in result)) return answer;
  const { context, value } = result as { context: { slot: number }; value: unknown };
  const [subject] = params;
  const shiftOne = (address: unknown, account: unknown) =>
    address === CLOCK_SYSVAR ? shiftClock(account as ClockJson, ahead) : account;
  const shifted =
    method === 'getMultipleAccounts'
      ? (value as unknown[]).map((account, i) => shiftOne((subject as unknown[])[i], account))
      : shiftOne(subject, value);
  return {
    ...answer,
    result: { context: { ...context, slot: context.slot + ahead }, value: shifted },
  };
}

type ClockJson = { readonly data: readonly [string, string] };

function shiftClock(account: ClockJson, ahead: number): ClockJson {
  const data = Uint8Array.from(Buffer.from(account.data[0], 'base64'));
  const view = new DataView(data.buffer);
  view.setBigUint64(0, view.getBigUint64(0, true) + BigInt(ahead), true);
  return { ...account, data: [encodeBase64(data), 'base64'] };
}
