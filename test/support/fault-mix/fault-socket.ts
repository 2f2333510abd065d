import { WebSocket } from 'ws';
import type { Delivery, FaultyBehaviour, RpcCall } from './fault.ts';
import { onTime } from './fault.ts';

type Message = {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly params?: { readonly subscription?: unknown };
};

/** Forwards a connection to a node, with what the faults of the moment do to its messages. */
export function connectSocket(
  client: WebSocket,
  nodeUrl: string,
  faults: () => readonly FaultyBehaviour[],
): void {
  const url = faults().find(({ wsUrl }) => wsUrl !== undefined)?.wsUrl ?? nodeUrl;
  const upstream = new WebSocket(url);
  const isOpen = new Promise((resolve) => upstream.once('open', resolve));
  const requests = new Map<unknown, RpcCall>();
  const subscriptions = new Map<unknown, RpcCall>();
  const send = (text: string) => {
    if (client.readyState === WebSocket.OPEN) client.send(text);
  };
  client.on('message', (data) => {
    // without compression, so that faults can change accounts
    const text = String(data).replaceAll('base64+zstd', 'base64');
    const call = JSON.parse(text) as RpcCall;
    requests.set(call.id, call);
    void isOpen.then(() => upstream.readyState === WebSocket.OPEN && upstream.send(text));
  });
  upstream.on('message', (data) => {
    const text = String(data);
    const { id, result, params } = JSON.parse(text) as Message;
    if (params === undefined) {
      const requested = requests.get(id);
      if (requested !== undefined) subscriptions.set(result, requested);
      const confirmed = faults().reduce<string | undefined>(
        (value, { confirmation }) =>
          value === undefined || confirmation === undefined ? value : confirmation(value),
        text,
      );
      if (confirmed !== undefined) send(confirmed);
      return;
    }
    const subscribed = subscriptions.get(params.subscription);
    for (const delivery of deliver(text, subscribed, faults())) {
      if (delivery.delayMs === 0) send(delivery.text);
      else setTimeout(() => send(delivery.text), delivery.delayMs).unref();
    }
    if (faults().some(({ closesSockets }) => closesSockets?.() === true)) client.terminate();
  });
  client.on('close', () => upstream.terminate());
  client.on('error', () => upstream.terminate());
  upstream.on('close', () => client.terminate());
  upstream.on('error', () => client.terminate());
}

function deliver(
  text: string,
  subscribed: RpcCall | undefined,
  faults: readonly FaultyBehaviour[],
): readonly Delivery[] {
  let deliveries = onTime(text);
  for (const { notification } of faults) {
    if (notification === undefined) continue;
    deliveries = deliveries.flatMap(({ text: each, delayMs }) =>
      notification({ text: each, subscribed }).map((next) => ({
        text: next.text,
        delayMs: next.delayMs + delayMs,
      })),
    );
  }
  return deliveries;
}
