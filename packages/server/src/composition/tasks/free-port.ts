import { once } from 'node:events';
import { createServer } from 'node:net';
import { CodedError, hasCode } from '../../errors.ts';

/** `taken` is the port that was in use, `used` the first one that is used instead. */
export type PortMove = { readonly taken: number; readonly used: number };

type Address = { readonly host: string; readonly port: number };

type PortSearch = {
  readonly port: number;
  /** Whether the following ports will do too. Nobody expects a default port, but a port that was set. */
  readonly isDefault: boolean;
  /** How many ports belong together, from `port` on. */
  readonly width?: number;
  /** Called if another port than `port` is used. */
  readonly onMoved: (move: PortMove) => void;
};

/** Another program seldom uses more ports in a row than this. */
const ATTEMPTS = 20;

/** Opens the port, or the next ones if they are in use, and returns what `open` returns. */
export async function openFreePort<Opened>(
  { port, isDefault, width = 1, onMoved }: PortSearch,
  open: (port: number) => Promise<Opened>,
): Promise<Opened> {
  let first: CodedError<'ADDRESS_IN_USE'> | undefined;
  for (let attempt = 0; attempt < (isDefault ? ATTEMPTS : 1); attempt++) {
    const candidate = port + attempt * width;
    try {
      const opened = await open(candidate);
      if (first !== undefined) onMoved({ taken: first.context.port, used: candidate });
      return opened;
    } catch (error) {
      if (!hasCode(error, 'ADDRESS_IN_USE')) throw error;
      first ??= error;
    }
  }
  throw first ?? new CodedError('INTERNAL', {});
}

/** Tells whoever has started the server that it is not on its default port. */
export function announcePort({ taken, used }: PortMove): void {
  process.stderr.write(`Port ${taken} is in use: Tidegate uses port ${used}\n`);
}

/** Returns the port. Throws ADDRESS_IN_USE. */
export async function requireFreePort(host: string, port: number): Promise<number> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
    return port;
  } catch (error) {
    throw toListenError(error, { host, port });
  } finally {
    server.close();
  }
}

/** The error of a server that cannot listen. */
export function toListenError(error: unknown, { host, port }: Address): unknown {
  if (!(error instanceof Error && 'code' in error)) return error;
  if (error.code === 'EADDRINUSE') return new CodedError('ADDRESS_IN_USE', { host, port }, error);
  const accepts = `an address of this machine and a port that it may listen on (${error.code})`;
  return new CodedError('INVALID_SETTING', { name: 'HOST', value: `${host}:${port}`, accepts });
}
