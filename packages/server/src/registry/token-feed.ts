import { isDeepStrictEqual } from 'node:util';
import { formatError, type Logger } from '@tidegate/core/base';
import type { Token } from '@tidegate/core/protocol/spl';
import { CodedError } from '../errors.ts';
import type { DocumentSource } from './document-source.ts';
import { readLastGoodCopy, writeLastGoodCopy } from './last-good-copy.ts';
import {
  createTokenCatalogue,
  type TokenCatalogue,
  type TokenCatalogueSource,
  type TokenListStatus,
} from './token-catalogue.ts';
import { parseTokenFormat, parseTokenList, type TokenFormat } from './token-format.ts';

type TokenFeedOptions = {
  readonly source: DocumentSource;
  readonly format: TokenFormat;
  /** Path of the last good copy. */
  readonly copyPath: string;
  readonly pollMs: number;
  readonly clock: () => number;
  readonly log: Logger;
};

const RETRY_MS = 15_000;

/** A list that never changes. */
export function createStaticTokens(tokens: readonly Token[]): TokenCatalogueSource {
  const catalogue = createTokenCatalogue(tokens);
  const status: TokenListStatus = {
    source: 'embedded',
    count: catalogue.size,
    rejected: 0,
    confirmedAt: null,
    fromCopy: false,
    lastError: null,
  };
  return { catalogue: () => catalogue, version: () => 1, status: () => status };
}

/**
 * Polls a token list. If the source fails or returns an invalid list, serves the last good list from memory or disk, and
 * reports its age in the status.
 */
export class TokenFeed implements TokenCatalogueSource {
  readonly #options: TokenFeedOptions;
  #tokens: readonly Token[] = [];
  #catalogue: TokenCatalogue | undefined;
  #version = 0;
  #tag: string | undefined;
  #status: TokenListStatus;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: TokenFeedOptions) {
    this.#options = options;
    this.#status = {
      source: options.source.label,
      count: 0,
      rejected: 0,
      confirmedAt: null,
      fromCopy: false,
      lastError: null,
    };
  }

  catalogue(): TokenCatalogue | undefined {
    return this.#catalogue;
  }

  version(): number {
    return this.#version;
  }

  status(): TokenListStatus {
    return this.#status;
  }

  /**
   * Serves the last good copy immediately, if there is one. Resolves after the first poll. Throws if the source is an
   * unusable file and there is no copy; a URL may become available later.
   */
  async start(): Promise<void> {
    const { copyPath, source, log } = this.#options;
    const copy = await readLastGoodCopy(copyPath, source.identity);
    const list = copy && parseTokenList(copy.document, copyFormat);
    if (copy && list !== undefined && typeof list !== 'string') {
      this.#serve(list.tokens);
      this.#status = { ...this.#status, confirmedAt: copy.confirmedAt, fromCopy: true };
      log.info(
        { source: source.label, count: list.tokens.length },
        'using the last good copy of the token list',
      );
    }
    const failure = await this.#attempt();
    if (failure !== undefined && this.#catalogue === undefined && source.kind === 'file') {
      throw failure;
    }
    this.#scheduleNext(failure);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** Polls the source once and schedules the next poll. */
  async poll(): Promise<void> {
    this.#scheduleNext(await this.#attempt());
  }

  #scheduleNext(failure: unknown): void {
    const { source, log, pollMs } = this.#options;
    if (failure !== undefined) {
      log.warn(
        { source: source.label, error: formatError(failure) },
        'token list was not refreshed',
      );
    }
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    const delay = failure === undefined ? pollMs : Math.min(pollMs, RETRY_MS);
    this.#timer = setTimeout(() => void this.poll(), delay).unref();
  }

  /** Returns the error, or undefined. */
  async #attempt(): Promise<unknown> {
    try {
      await this.#refresh();
      this.#status = { ...this.#status, lastError: null };
      return undefined;
    } catch (error) {
      this.#status = { ...this.#status, lastError: formatError(error) };
      return error;
    }
  }

  async #refresh(): Promise<void> {
    const { source, format, copyPath, clock, log } = this.#options;
    const reading = await source.read(this.#tag);
    const confirmedAt = clock();
    if (reading.kind === 'document') {
      const list = parseTokenList(reading.document, format);
      if (typeof list === 'string') {
        throw new CodedError('INVALID_TOKEN_LIST', { source: source.label, reason: list });
      }
      if (list.firstRejection !== null) {
        const { rejected, firstRejection } = list;
        log.warn({ source: source.label, rejected, firstRejection }, 'skipped malformed tokens');
      }
      this.#serve(list.tokens);
      this.#tag = reading.tag;
      this.#status = { ...this.#status, rejected: list.rejected };
    }
    this.#status = { ...this.#status, confirmedAt, fromCopy: false };
    await writeLastGoodCopy(copyPath, {
      source: source.identity,
      confirmedAt,
      document: this.#tokens,
    });
  }

  #serve(tokens: readonly Token[]): void {
    if (this.#catalogue !== undefined && isDeepStrictEqual(tokens, this.#tokens)) return;
    this.#tokens = tokens;
    this.#catalogue = createTokenCatalogue(tokens);
    this.#version += 1;
    this.#status = { ...this.#status, count: tokens.length };
  }
}

/** Copies always use the built-in format. */
const copyFormat = requireFormat('tidegate');

function requireFormat(name: string): TokenFormat {
  const format = parseTokenFormat(name);
  if (format === undefined) throw new CodedError('INTERNAL', {});
  return format;
}
