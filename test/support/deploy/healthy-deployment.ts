/** Seconds from the begin of a fault until an alert fires. */
type Within = Readonly<Record<string, number>>;

/** Samples of a series from the begin of a fault on, in the notation of promtool: `0x8` is nine zeros. */
export type Changes = Readonly<Record<string, string>>;

/** What Prometheus sees of a fault that lasts, and the alerts that follow. */
export type FaultAlerts = {
  /** As in `test/support/chaos/faults.ts` where it has such a fault. */
  readonly fault: string;
  readonly changes: Changes;
  /** The alerts that must fire, and no other one. Empty for a fault that the deployment survives without anybody. */
  readonly fires: Within;
};

/** Samples, 30 s apart, before a fault begins, and while it lasts. */
export const HEALTHY_SAMPLES = 10;
export const FAULTY_SAMPLES = 80;
export const SAMPLE_SECONDS = 30;

export const CLUSTER = 'cluster="mainnet-beta"';
/** Prometheus ends the series of a process that it cannot scrape. */
export const GONE = `stale _x${FAULTY_SAMPLES}`;
export const always = (value: number): string => `${value}x${FAULTY_SAMPLES}`;
/** Grows by as much with each sample. */
export const growing = (start: number, step: number): string =>
  `${start}+${step}x${FAULTY_SAMPLES}`;
export const requestsSoFar = HEALTHY_SAMPLES * 150;

export type Healthy = Readonly<Record<string, { readonly start: number; readonly step: number }>>;

const gauge = (start: number) => ({ start, step: 0 });
const counter = (step: number) => ({ start: 0, step });

function process(name: string, own: Healthy): Healthy {
  return {
    [`up{job="tidegate",instance="${name}"}`]: gauge(1),
    [`tidegate_ready{instance="${name}"}`]: gauge(1),
    [`tidegate_standby{instance="${name}"}`]: gauge(0),
    [`process_resident_memory_bytes{job="tidegate",instance="${name}"}`]: gauge(400e6),
    [`tidegate_event_loop_lag_seconds{instance="${name}",quantile="0.99"}`]: gauge(0.01),
    ...own,
  };
}

const follower = (name: string, step: string): Healthy => ({
  [`tidegate_data_age_seconds{instance="${name}",${CLUSTER}}`]: gauge(1),
  [`tidegate_slot_lag{instance="${name}",${CLUSTER}}`]: gauge(1),
  [`tidegate_source_active{instance="${name}",${CLUSTER},step="${step}"}`]: gauge(1),
  [`tidegate_endpoint_healthy{instance="${name}",${CLUSTER},endpoint="one"}`]: gauge(1),
  [`tidegate_endpoint_healthy{instance="${name}",${CLUSTER},endpoint="two"}`]: gauge(1),
  [`tidegate_history_available{instance="${name}",${CLUSTER}}`]: gauge(1),
  [`tidegate_database_queries_waiting{instance="${name}",${CLUSTER}}`]: gauge(0),
});

export const requests = 'tidegate_http_request_duration_seconds';

const api = (name: string): Healthy =>
  process(name, {
    ...follower(name, 'feed'),
    [`tidegate_history_recording{instance="${name}",${CLUSTER}}`]: gauge(0),
    [`${requests}_count{instance="${name}",status="200"}`]: counter(150),
    [`${requests}_count{instance="${name}",status="503"}`]: counter(0),
    [`${requests}_bucket{instance="${name}",le="2.5"}`]: counter(150),
    [`${requests}_bucket{instance="${name}",le="10"}`]: counter(150),
    [`${requests}_bucket{instance="${name}",le="+Inf"}`]: counter(150),
    [`tidegate_rate_limit_refusals_total{instance="${name}",policy="address"}`]: counter(0),
  });

/** Two API processes, the process that writes and its standby, which has no cluster, without a fault. */
export const healthyDeployment: Healthy = {
  ...api('api-1'),
  ...api('api-2'),
  ...process('writer', {
    ...follower('writer', 'websocket'),
    [`tidegate_history_recording{instance="writer",${CLUSTER}}`]: gauge(1),
    // time starts at 0
    [`tidegate_history_last_write_timestamp_seconds{instance="writer",${CLUSTER}}`]:
      counter(SAMPLE_SECONDS),
    [`tidegate_history_writes_waiting{instance="writer",${CLUSTER}}`]: gauge(0),
  }),
  ...process('standby', {
    'tidegate_ready{instance="standby"}': gauge(0),
    // a balancer asks
    [`${requests}_count{instance="standby",route="/ready",status="503"}`]: counter(3),
    [`${requests}_count{instance="standby",route="/metrics",status="200"}`]: counter(1),
    'tidegate_standby{instance="standby"}': gauge(1),
  }),
};
