import {
  always,
  type Changes,
  CLUSTER,
  FAULTY_SAMPLES,
  type FaultAlerts,
  GONE,
  growing,
  HEALTHY_SAMPLES,
  healthyDeployment,
  SAMPLE_SECONDS,
} from './healthy-deployment.ts';

/** All series of a process whose name begins so, except `up`. */
const ofProcess = (name: string, metric: string, samples: string): Changes =>
  Object.fromEntries(
    Object.keys(healthyDeployment)
      .filter((key) => key.startsWith(metric) && key.includes(`instance="${name}"`))
      .filter((key) => !key.startsWith('up{'))
      .map((key) => [key, samples]),
  );

const unreachable = (name: string): Changes => ({
  [`up{job="tidegate",instance="${name}"}`]: always(0),
  ...ofProcess(name, '', GONE),
});

const followers = ['api-1', 'api-2', 'writer'];
const ofFollowers = (metric: string, samples: string): Changes =>
  Object.assign({}, ...followers.map((name) => ofProcess(name, metric, samples)));

const lastWrite = `tidegate_history_last_write_timestamp_seconds{instance="writer",${CLUSTER}}`;
const noWrites: Changes = { [lastWrite]: always((HEALTHY_SAMPLES - 1) * SAMPLE_SECONDS) };
/** The present gets older. */
const stale: Changes = {
  ...ofFollowers('tidegate_data_age_seconds', growing(0, SAMPLE_SECONDS)),
  ...ofFollowers('tidegate_ready', always(0)),
};
const staleFires = { TidegateStale: 240, TidegateNotReady: 345 };
const unwrittenFires = { TidegateHistoryNotWritten: 660 };
const writerMetric = (name: string): string => `${name}{instance="writer",${CLUSTER}}`;

/** Another process writes and follows. */
const takenOver: Changes = {
  [`tidegate_history_recording{instance="standby",${CLUSTER}}`]: always(1),
  [`tidegate_history_last_write_timestamp_seconds{instance="standby",${CLUSTER}}`]: growing(
    HEALTHY_SAMPLES * SAMPLE_SECONDS,
    SAMPLE_SECONDS,
  ),
  'tidegate_ready{instance="standby"}': always(1),
  'tidegate_standby{instance="standby"}': always(0),
};

/** No process gets a connection. */
const withoutDatabase: Omit<FaultAlerts, 'fault'> = {
  changes: {
    ...stale,
    ...noWrites,
    ...ofFollowers('tidegate_history_available', always(0)),
    [writerMetric('tidegate_history_recording')]: always(0),
  },
  fires: {
    ...{ TidegateHistoryUnavailable: 90, TidegateNoWriter: 150 },
    ...staleFires,
    ...unwrittenFires,
  },
};

/** Faults of a deployment of several processes. */
export const deploymentFaults: readonly FaultAlerts[] = [
  { fault: 'none', changes: {}, fires: {} },
  {
    fault: 'writer killed',
    changes: { ...unreachable('writer'), ...takenOver },
    fires: { TidegateDown: 90 },
  },
  {
    fault: 'writer frozen',
    changes: { ...unreachable('writer'), ...takenOver },
    fires: { TidegateDown: 90 },
  },
  { fault: 'api killed', changes: unreachable('api-2'), fires: { TidegateDown: 90 } },
  {
    fault: 'all index processes killed',
    changes: { ...unreachable('writer'), ...unreachable('standby'), ...stale },
    fires: {
      ...{ TidegateDown: 90, TidegateNoWriter: 150 },
      ...staleFires,
      ...unwrittenFires,
    },
  },
  { fault: 'PostgreSQL stopped', ...withoutDatabase },
  { fault: 'PostgreSQL password rotated', ...withoutDatabase },
  { fault: 'PostgreSQL connections exhausted', ...withoutDatabase },
  {
    fault: 'disk full',
    changes: {
      ...noWrites,
      [writerMetric('tidegate_history_writes_waiting')]: growing(0, 4),
    },
    fires: { TidegateHistoryBacklog: 1_140, ...unwrittenFires },
  },
  { fault: 'Redis stopped', changes: stale, fires: staleFires },
  { fault: 'Redis password rotated', changes: stale, fires: staleFires },
  {
    fault: 'RPC stopped',
    changes: {
      ...stale,
      ...noWrites,
      ...ofFollowers('tidegate_endpoint_healthy', always(0)),
    },
    fires: {
      ...{ TidegateNoEndpoint: 90, TidegateEndpointUnhealthy: 345 },
      ...staleFires,
      ...unwrittenFires,
    },
  },
  // they end, or the deployment goes on with them: the alerts above wait longer than it needs
  ...(
    [
      'connections cut',
      'connections delayed',
      'connections half-open',
      'packets dropped',
      'packets to Redis dropped',
      'PostgreSQL restored under running processes',
      'PostgreSQL restored while all processes are stopped',
      'Redis snapshot lost',
      'Redis flushed',
      'rolling restart',
    ] as const
  ).map((fault) => ({
    fault,
    changes: {
      ...ofFollowers('tidegate_data_age_seconds', `20x2 1x${FAULTY_SAMPLES}`),
      ...ofFollowers('tidegate_ready', `0x2 1x${FAULTY_SAMPLES}`),
      ...ofFollowers('tidegate_endpoint_healthy', `0x2 1x${FAULTY_SAMPLES}`),
    },
    fires: {},
  })),
  {
    fault: 'slots rolled back',
    changes: ofFollowers('tidegate_slot_lag', `5x2 1x${FAULTY_SAMPLES}`),
    fires: {},
  },
  {
    fault: 'clock moved',
    changes: { 'tidegate_ready{instance="api-1"}': always(0) },
    fires: { TidegateNotReady: 345 },
  },
  { fault: 'replica lags', changes: {}, fires: {} },
];
