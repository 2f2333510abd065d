import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type OtlpRequest = {
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: OtlpBody;
};

type OtlpValue = {
  readonly stringValue?: string;
  readonly intValue?: string;
  readonly boolValue?: boolean;
};

type OtlpAttributes = readonly { readonly key: string; readonly value: OtlpValue }[];

export type OtlpSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: OtlpAttributes;
  readonly status?: { readonly code: number; readonly message: string };
};

type OtlpMetric = {
  readonly name: string;
  readonly gauge?: { readonly dataPoints: readonly unknown[] };
};

type OtlpBody = {
  readonly resourceSpans?: readonly {
    readonly resource: { readonly attributes: OtlpAttributes };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly OtlpMetric[] }[];
  }[];
};

/** A collector that stores what it receives. */
export async function startOtlpCollector() {
  const requests: OtlpRequest[] = [];
  let status: number | 'silence' = 200;
  let location: string | undefined;
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    requests.push({ path: request.url ?? '', headers: request.headers, body: JSON.parse(text) });
    if (status === 'silence') return;
    const headers = { 'content-type': 'application/json', ...(location && { location }) };
    response.writeHead(status, headers).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    spans: (): readonly OtlpSpan[] =>
      requests
        .flatMap(({ body }) => body.resourceSpans ?? [])
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    metrics: (): readonly OtlpMetric[] =>
      requests
        .flatMap(({ body }) => body.resourceMetrics ?? [])
        .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics)),
    respondWith: (code: number | 'silence') => {
      status = code;
    },
    redirectTo: (url: string) => {
      status = 307;
      location = url;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Attributes by name, with plain values. */
export const attributesOf = ({ attributes }: { readonly attributes: OtlpAttributes }) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.intValue ?? value.boolValue,
    ]),
  );
