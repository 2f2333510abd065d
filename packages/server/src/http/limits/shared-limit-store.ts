import { formatError, type Logger } from '@tidegate/core/base';
import { CallerTable } from './caller-table.ts';
import type { CounterReply, LimitCounters } from './limit-counters.ts';
import type { RateLimitPolicy, RateLimitResult, RateLimitStore } from './rate-limit.ts';
import { SharedAccount } from './shared-account.ts';

/**
 * A process admits calls without asking the counters as long as the units that it has not reported stay below this part of
 * what it believes to be left. All processes together exceed a quota by 1/16 of it per process at most.
 */
const CREDIT_PART = 16;
/** Longest time between an admitted call and its report. */
const REPORT_MS = 100;
/** How long an answer of the store is used for further calls. */
const FRESH_MS = 5_000;
const TIMEOUT_MS = 500;
const PROBE_MS = 500;

type SharedLimitOptions = {
  readonly counters: LimitCounters;
  readonly clock: () => number;
  readonly log: Logger;
  readonly maxCallers?: number;
};

/** Limits that several processes share. While the counters are away, each process has its own. */
export class SharedRateLimitStore implements RateLimitStore {
  readonly #options: SharedLimitOptions;
  readonly #accounts: CallerTable<SharedAccount>;
  /** Accounts with units that are not reported. */
  readonly #unreported = new Set<SharedAccount>();
  /** Clock of the counters minus our own. */
  #offsetMs = 0;
  #isShared = true;
  #reportTimer: NodeJS.Timeout | undefined;
  #probeTimer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: SharedLimitOptions) {
    this.#options = options;
    this.#accounts = new CallerTable(options.maxCallers);
  }

  /** False while the counters are away. */
  isShared(): boolean {
    return this.#isShared;
  }

  take(
    caller: string,
    cost: number,
    policy: RateLimitPolicy,
  ): RateLimitResult | Promise<RateLimitResult> {
    const now = this.#options.clock();
    const { quota } = policy;
    const charge = Math.min(cost, quota);
    const account = this.#account(caller, policy, now);
    account.advance(now, this.#offsetMs);
    // other processes only add, so that what is over the limit stays so until a slice expires
    if (account.total + charge > quota) return this.#result(account, quota, { rejected: charge });
    if (!this.#isShared) {
      account.own.add(charge);
      return this.#result(account, quota);
    }
    const isFresh = now - account.repliedAt < FRESH_MS;
    if (!isFresh || account.unconfirmed + charge > creditOf(account, quota)) {
      return this.#ask(account, charge, quota);
    }
    account.spend(charge);
    this.#scheduleReport(account, quota);
    return this.#result(account, quota);
  }

  /** Reports what is left to report. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#probeTimer);
    await this.#report();
  }

  #account(caller: string, { windowSeconds, quota }: RateLimitPolicy, now: number): SharedAccount {
    const known = this.#accounts.find(caller, windowSeconds);
    if (known !== undefined) return known;
    const account = new SharedAccount({ caller, windowSeconds, quota }, now);
    this.#accounts.add(caller, account, now);
    return account;
  }

  /** Lets the counters decide. */
  async #ask(account: SharedAccount, charge: number, quota: number): Promise<RateLimitResult> {
    const reply = await this.#send(account, charge, quota);
    const now = this.#options.clock();
    account.advance(now, this.#offsetMs);
    const allowed = reply?.allowed ?? account.total + charge <= quota;
    if (!allowed) return this.#result(account, quota, { rejected: charge });
    account.own.add(charge);
    return this.#result(account, quota);
  }

  /** Undefined if the counters do not respond. What was reported then counts in this process only. */
  async #send(
    account: SharedAccount,
    cost: number,
    quota: number,
  ): Promise<CounterReply | undefined> {
    const spent = account.beginReport();
    this.#unreported.delete(account);
    try {
      const { caller, windowSeconds } = account;
      const charge = { caller, windowSeconds, quota, spent, cost };
      const reply = await withTimeout(this.#options.counters.charge(charge));
      const now = this.#options.clock();
      this.#offsetMs = reply.now - now;
      account.endReport(spent);
      account.learn(reply, now);
      return reply;
    } catch (error) {
      account.endReport(spent);
      this.#suspend(error);
      return undefined;
    }
  }

  #scheduleReport(account: SharedAccount, quota: number): void {
    this.#unreported.add(account);
    // before the credit is used up, so that the next calls need not wait
    if (!account.isReporting && account.unconfirmed * 2 > creditOf(account, quota)) {
      void this.#send(account, 0, quota);
      return;
    }
    this.#reportTimer ??= setTimeout(() => void this.#report(), REPORT_MS).unref();
  }

  async #report(): Promise<void> {
    clearTimeout(this.#reportTimer);
    this.#reportTimer = undefined;
    const accounts = [...this.#unreported];
    await Promise.all(accounts.map((account) => this.#send(account, 0, account.quota)));
  }

  #suspend(error: unknown): void {
    for (const account of this.#unreported) account.forgetUnreported();
    this.#unreported.clear();
    if (!this.#isShared || this.#isClosed) return;
    this.#isShared = false;
    const reason = formatError(error);
    this.#options.log.warn({ reason }, 'rate limits are counted in each process');
    this.#probeLater();
  }

  #probeLater(): void {
    this.#probeTimer = setTimeout(() => void this.#probe(), PROBE_MS).unref();
  }

  async #probe(): Promise<void> {
    const probe = { caller: 'probe', quota: 1, windowSeconds: 1, spent: 0, cost: 0 };
    try {
      await withTimeout(this.#options.counters.charge(probe));
    } catch {
      if (!this.#isClosed) this.#probeLater();
      return;
    }
    this.#isShared = true;
    this.#options.log.info({}, 'rate limits are shared again');
  }

  #result(
    account: SharedAccount,
    quota: number,
    { rejected }: { readonly rejected?: number } = {},
  ): RateLimitResult {
    const { total } = account;
    const needed = rejected === undefined ? 0 : total + rejected - quota;
    return {
      allowed: rejected === undefined,
      remaining: Math.max(0, quota - total),
      resetSeconds: account.secondsUntilFreed(needed),
    };
  }
}

/** Units that may be admitted before they are reported. */
const creditOf = ({ shared }: SharedAccount, quota: number): number =>
  Math.floor((quota - shared.total) / CREDIT_PART);

async function withTimeout<Value>(work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no reply for ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
