import type { Latencies } from '../mixed/load-plan.ts';

/** Requests at a fixed rate. */
export type RatePlan = {
  readonly url: string;
  readonly paths: readonly string[];
  /** At most; one is opened whenever none is free. */
  readonly connections: number;
  readonly perSecond: number;
  readonly seconds: number;
};

export type RateReport = {
  /** Answers with status 200, from the time when their request was due. */
  readonly accepted: Latencies;
  readonly acceptedPerSecond: number;
  /** 503 with and without `retry-after`. */
  readonly rejected: number;
  readonly rejectedWithoutRetry: number;
  /** Any other answer, or none. */
  readonly failed: number;
  /** Requests that were due and not sent in the end. */
  readonly waiting: number;
  readonly connections: number;
  /** How busy the generator itself was. Close to 1 it sends later than planned, which counts as time of the answers. */
  readonly utilization: number;
};
