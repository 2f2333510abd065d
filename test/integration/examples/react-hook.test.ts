import type { ServerResponse } from 'node:http';
import { createClient } from '@tidegate/client';
import { act, createElement } from 'react';
import { create } from 'react-test-renderer';
import { expect, test } from 'vitest';
import { LoanHealth } from '../../../examples/react-hook.tsx';
import { goldenCluster } from '../../support/golden/golden.ts';
import { goldenLoan } from '../../support/golden/golden-addresses.ts';
import { beginEvents, eventText, startScriptedServer } from '../../support/http/scripted-server.ts';
import { startApi } from '../../support/http/test-api.ts';

const { slot: SLOT } = goldenCluster().at;
const LOAN = goldenLoan('alice');

type Loan = {
  readonly loanInfo: { readonly currentLtv: number; readonly liquidationLtv: number };
};

test('the hook shows a loan, follows it, says when it is not current, and ends with its component', async () => {
  Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', true);
  const api = await startApi();
  const loan = (await api.get(`/klend/loans/${LOAN}`)).body as Loan;
  const streams: ServerResponse[] = [];
  // reads are answered by the API; streams are written here
  const server = await startScriptedServer(async (request, response) => {
    if (request.headers.accept?.includes('text/event-stream')) {
      beginEvents(response);
      streams.push(response);
      return;
    }
    const answer = await fetch(`${api.url}${request.url}`);
    response.writeHead(answer.status, { 'x-slot': answer.headers.get('x-slot') ?? '' });
    response.end(await answer.text());
  });
  const client = createClient({ baseUrl: server.url });
  const properties = { client, obligation: LOAN };
  const view = await act(async () => create(createElement(LoanHealth, properties)));
  const text = async (): Promise<string> => {
    await act(async () => new Promise((resolve) => setTimeout(resolve, 5)));
    const tree = view.toJSON();
    const children = tree === null || Array.isArray(tree) ? [] : (tree.children ?? []);
    return children.join('');
  };
  const { currentLtv, liquidationLtv } = loan.loanInfo;
  const health = (liquidationLtv / currentLtv).toFixed(2);
  await expect.poll(text).toBe(`Health ${health} at slot ${SLOT}`);

  await expect.poll(() => streams.length).toBe(1);
  const loanInfo = { ...loan.loanInfo, currentLtv: 0.4, liquidationLtv: 0.8 };
  const id = String(SLOT + 5n);
  streams[0]?.write(eventText({ id, event: 'update', data: { ...loan, loanInfo } }));
  await expect.poll(text).toBe(`Health 2.00 at slot ${id}`);
  const data = { code: 'PRICE_UNAVAILABLE', message: 'No price.', statusCode: 503 };
  streams[0]?.write(eventText({ event: 'error', data }));
  await expect.poll(text).toBe(`Health 2.00 at slot ${id} (not current: No price.)`);

  await act(async () => view.unmount());
  await expect.poll(server.openConnections).toBe(0);
});
