import { formatError, type Logger } from '@tidegate/core/base';
import { type ApiKeyRecord, type ApiKeys, createApiKeys } from '../http/auth/api-keys.ts';
import { mergeApiKeys, missingApiKeys } from '../http/auth/merge-api-keys.ts';
import type { RedisApiKeys } from './redis-api-keys.ts';

const POLL_MS = 500;
/** A start does not wait longer for Redis. */
const FIRST_READ_MS = 2_000;
const RETRY_MS = 50;

/** The copy of the keys that a process stores itself. */
type LocalApiKeys = {
  /** Another list after a change. */
  records(): readonly ApiKeyRecord[];
  /** Adds records. */
  merge(records: readonly ApiKeyRecord[]): Promise<void>;
};

type SharedApiKeyOptions = {
  readonly remote: Pick<RedisApiKeys, 'version' | 'read' | 'merge'>;
  readonly local: LocalApiKeys;
  readonly log: Logger;
};

/**
 * The keys that all processes accept: those in Redis and those of each process. Every process stores them all, so that
 * they survive a restart of Redis. Records are never deleted, only revoked.
 */
export class SharedApiKeys implements ApiKeys {
  readonly #options: SharedApiKeyOptions;
  #records: readonly ApiKeyRecord[];
  #keys: ApiKeys;
  #localRecords: readonly ApiKeyRecord[];
  #version: string | undefined;
  #isRead = false;
  #isFailing = false;
  #isStoreFailing = false;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  /** Returns when the keys are read, or without those of Redis if it is away. */
  static async open(options: SharedApiKeyOptions): Promise<SharedApiKeys> {
    const keys = new SharedApiKeys(options);
    const end = performance.now() + FIRST_READ_MS;
    let failure = await keys.#attempt();
    while (failure !== undefined && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      failure = await keys.#attempt();
    }
    keys.#logOutage(failure);
    keys.#pollLater();
    return keys;
  }

  private constructor(options: SharedApiKeyOptions) {
    this.#options = options;
    this.#localRecords = options.local.records();
    this.#records = this.#localRecords;
    this.#keys = createApiKeys(this.#records);
  }

  find(key: string): ReturnType<ApiKeys['find']> {
    return this.#keys.find(key);
  }

  count(): number {
    return this.#keys.count();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #pollLater(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#poll(), POLL_MS).unref();
  }

  async #poll(): Promise<void> {
    this.#mergeLocal();
    this.#logOutage(await this.#attempt());
    this.#pollLater();
  }

  #logOutage(reason: string | undefined): void {
    const { log } = this.#options;
    const isFailing = reason !== undefined;
    if (isFailing === this.#isFailing) return;
    this.#isFailing = isFailing;
    if (isFailing) log.warn({ reason }, 'API keys of other processes are not updated');
    else log.info({}, 'API keys are shared again');
  }

  /** Changes of the own file apply without Redis too. */
  #mergeLocal(): void {
    const records = this.#options.local.records();
    if (records === this.#localRecords) return;
    this.#localRecords = records;
    this.#isRead = false;
    this.#accept(records);
  }

  /** Returns why it failed. */
  async #attempt(): Promise<string | undefined> {
    try {
      await this.#synchronize();
      return undefined;
    } catch (error) {
      return formatError(error);
    }
  }

  async #synchronize(): Promise<void> {
    const { remote } = this.#options;
    const version = await remote.version();
    if (this.#isRead && version === this.#version) return;
    const records = await remote.read();
    this.#accept(records);
    await remote.merge(missingApiKeys(this.#records, records));
    this.#version = version;
    this.#isRead = true;
    await this.#store();
  }

  #accept(records: readonly ApiKeyRecord[]): void {
    if (missingApiKeys(records, this.#records).length === 0) return;
    this.#records = mergeApiKeys(this.#records, records);
    this.#keys = createApiKeys(this.#records);
  }

  async #store(): Promise<void> {
    const { local, log } = this.#options;
    const missing = missingApiKeys(this.#records, local.records());
    if (missing.length === 0) return;
    try {
      await local.merge(missing);
      this.#isStoreFailing = false;
    } catch (error) {
      const reason = formatError(error);
      if (!this.#isStoreFailing) log.warn({ reason }, 'API keys are not stored in this process');
      this.#isStoreFailing = true;
    }
  }
}
