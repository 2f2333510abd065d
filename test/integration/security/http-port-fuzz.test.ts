import { expect, test } from 'vitest';
import { sendBytes, statusesIn } from '../../support/attacks/raw-socket.ts';
import { FUZZ_SEED_NUMBER } from '../../support/fuzz/fuzz-settings.ts';
import { mutateBytes } from '../../support/fuzz/mutate-bytes.ts';
import { goldenLoan, goldenMarket, goldenVault } from '../../support/golden/golden-addresses.ts';
import { startApi } from '../../support/http/test-api.ts';
import { seededRandom } from '../../support/random/json-mutations.ts';

const HOST = 'host: 127.0.0.1:8080\r\n';
const JSON_TYPE = 'content-type: application/json\r\n';
const body = JSON.stringify({
  wallet: goldenVault('Steady USDC').address,
  kvault: 'x',
  amount: '1',
});

/** Requests of all kinds: cached, with parameters, with a body, chunked, pipelined, preflights. */
const requests = [
  `GET /tokens-api/tokens?limit=2&verified=true HTTP/1.1\r\n${HOST}accept-encoding: gzip\r\n\r\n`,
  `GET /klend/loans/${goldenLoan('frank')}?env=localnet HTTP/1.1\r\n${HOST}if-none-match: "x"\r\n\r\n`,
  `HEAD /v2/svc-market/${goldenMarket('Main Market').address} HTTP/1.0\r\nx-request-id: a\r\n\r\n`,
  `POST /ktx/kvault/deposit HTTP/1.1\r\n${HOST}${JSON_TYPE}content-length: ${body.length}\r\n\r\n${body}`,
  `POST /ktx/kvault/deposit HTTP/1.1\r\n${HOST}${JSON_TYPE}transfer-encoding: chunked\r\n\r\n${body.length.toString(16)};a=b\r\n${body}\r\n0\r\nx-trailer: 1\r\n\r\n`,
  `GET /health HTTP/1.1\r\n${HOST}\r\nGET /status HTTP/1.1\r\n${HOST}x-forwarded-for: ::1\r\nconnection: close\r\n\r\n`,
  `OPTIONS /status HTTP/1.1\r\n${HOST}origin: https://example.org\r\naccess-control-request-method: GET\r\n\r\n`,
  `GET /docs/guide/tour HTTP/1.1\r\n${HOST}accept: text/html\r\nauthorization: Bearer x\r\n\r\n`,
];

const RUNS = 1000;
const PARALLEL = 8;

test(`${RUNS} mutated requests on the port never cause a server error, FUZZ_SEED=${FUZZ_SEED_NUMBER}`, async () => {
  const { url, get, logLines } = await startApi();
  const random = seededRandom(FUZZ_SEED_NUMBER);
  const statuses = new Set<number>();
  let run = 0;
  const sendAll = async () => {
    while (run < RUNS) {
      run += 1;
      const bytes = mutateBytes(requests[random(requests.length)] ?? '', random);
      const response = await sendBytes(url, bytes, { endsStream: true });
      expect(response === '' || response.startsWith('HTTP/1.1 '), String(bytes)).toBe(true);
      for (const status of statusesIn(response)) statuses.add(status);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, sendAll));
  expect([...statuses].filter((status) => status >= 500)).toEqual([]);
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 404]));
  expect(logLines.filter(({ level }) => level === 'error')).toEqual([]);
  expect((await get('/health')).status).toBe(200);
});
