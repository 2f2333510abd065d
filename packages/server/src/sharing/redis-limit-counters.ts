import { CodedError } from '../errors.ts';
import type { CounterCharge, CounterReply, LimitCounters } from '../http/limits/limit-counters.ts';
import { SLICES, type SliceUnits, sliceLength } from '../http/limits/sliding-window.ts';
import type { RedisConnection, RedisReply } from '../redis/redis-connection.ts';

/** A hash per caller: by the number of a slice its units and when the last were added. All by the clock of Redis. */
const CHARGE = `local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local sliceMs, quota = tonumber(ARGV[1]), tonumber(ARGV[2])
local spent, cost, stored = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local windowMs = sliceMs * stored
local slice = math.floor(now / sliceMs)
local total = spent
local fields = redis.call('HGETALL', KEYS[1])
for i = 1, #fields, 2 do
  local counted, addedAt = string.match(fields[i + 1], '^(%d+):(%d+)$')
  if tonumber(fields[i]) < slice - stored or tonumber(addedAt) + windowMs <= now then
    redis.call('HDEL', KEYS[1], fields[i])
  else
    total = total + tonumber(counted)
  end
end
local allowed = total + cost <= quota
local units = spent
if allowed then units = units + cost end
if units > 0 then
  local field = string.format('%.0f', slice)
  local counted = string.match(redis.call('HGET', KEYS[1], field) or '0', '^%d+')
  redis.call('HSET', KEYS[1], field, string.format('%.0f:%.0f', counted + units, now))
  redis.call('PEXPIRE', KEYS[1], string.format('%.0f', math.ceil((stored + 2) * sliceMs)))
end
return { allowed and 1 or 0, string.format('%.0f', now), table.concat(redis.call('HGETALL', KEYS[1]), ',') }`;

/** Counts the units of all processes in Redis, in one step per charge. */
export class RedisLimitCounters implements LimitCounters {
  readonly #redis: RedisConnection;
  readonly #prefix: string;

  constructor(redis: RedisConnection, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
  }

  async charge({
    caller,
    windowSeconds,
    quota,
    spent,
    cost,
  }: CounterCharge): Promise<CounterReply> {
    const key = `${this.#prefix}:units:${windowSeconds}:${caller}`;
    const values = [sliceLength(windowSeconds), quota, spent, cost, SLICES].map(String);
    return parseReply(await this.#redis.send(['EVAL', CHARGE, '1', key, ...values]));
  }
}

function parseReply(reply: RedisReply): CounterReply {
  const [allowed, now, text] = Array.isArray(reply) ? (reply as readonly RedisReply[]) : [];
  const numbers = String(text ?? '')
    .split(/[,:]/)
    .map(Number);
  const slices: SliceUnits[] = [];
  for (let i = 0; i + 2 < numbers.length; i += 3) {
    slices.push([numbers[i] ?? 0, numbers[i + 1] ?? 0, numbers[i + 2] ?? 0]);
  }
  const parsed = { allowed: allowed === 1, now: Number(String(now)), slices };
  if ([parsed.now, ...slices.flat()].every(Number.isFinite)) return parsed;
  throw new CodedError('MALFORMED_DATA', { what: 'rate limit in Redis', reason: 'not numbers' });
}
