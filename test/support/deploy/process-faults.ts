import {
  always,
  CLUSTER,
  type FaultAlerts,
  growing,
  requests,
  requestsSoFar,
} from './healthy-deployment.ts';

const writerMetric = (name: string): string => `${name}{instance="writer",${CLUSTER}}`;
const apiMetric = (name: string, labels = ''): string => `${name}{instance="api-1"${labels}}`;

/** Faults of a source or of one process. */
export const processFaults: readonly FaultAlerts[] = [
  {
    fault: 'one endpoint fails',
    changes: {
      [`tidegate_endpoint_healthy{instance="writer",${CLUSTER},endpoint="one"}`]: always(0),
    },
    fires: { TidegateEndpointUnhealthy: 345 },
  },
  {
    fault: 'no stream works',
    changes: {
      [`tidegate_source_active{instance="writer",${CLUSTER},step="websocket"}`]: always(0),
      [`tidegate_source_active{instance="writer",${CLUSTER},step="polling"}`]: always(1),
    },
    fires: { TidegatePolling: 960 },
  },
  {
    fault: 'the state falls behind',
    changes: { [writerMetric('tidegate_slot_lag')]: always(200) },
    fires: { TidegateLagging: 150 },
  },
  {
    fault: 'many requests fail',
    changes: {
      [apiMetric(`${requests}_count`, ',status="503"')]: growing(0, 30),
    },
    fires: { TidegateErrors: 660 },
  },
  {
    fault: 'requests are slow',
    changes: {
      [apiMetric(`${requests}_bucket`, ',le="2.5"')]: always(requestsSoFar),
    },
    fires: { TidegateSlow: 960 },
  },
  {
    fault: 'queries wait for a connection of an API process',
    changes: { [`tidegate_database_queries_waiting{instance="api-1",${CLUSTER}}`]: always(4) },
    fires: { TidegateDatabasePoolExhausted: 345 },
  },
  {
    fault: 'a process has too much work',
    changes: { [apiMetric('tidegate_event_loop_lag_seconds', ',quantile="0.99"')]: always(0.5) },
    fires: { TidegateEventLoopBlocked: 345 },
  },
  {
    fault: 'a process uses much memory',
    changes: { 'process_resident_memory_bytes{job="tidegate",instance="api-1"}': always(1.8e9) },
    fires: { TidegateMemoryHigh: 960 },
  },
  {
    fault: 'a caller is above the limit',
    changes: {
      [apiMetric('tidegate_rate_limit_refusals_total', ',policy="address"')]: growing(0, 600),
    },
    fires: { TidegateRateLimited: 1_260 },
  },
  ...(
    [
      [
        'a source says what cannot be true',
        'tidegate_source_alarms_total',
        ',kind="leap"',
        'TidegateSourceAlarm',
        60,
        0,
      ],
      [
        'a node leaves accounts out',
        'tidegate_absences_total',
        ',result="refuted"',
        'TidegateAccountsLeftOut',
        60,
        0,
      ],
      [
        'an account may be closed',
        'tidegate_unconfirmed_absences',
        '',
        'TidegateAbsenceUnconfirmed',
        345,
        0,
      ],
      [
        'an endpoint returns wrong accounts',
        'tidegate_compared_accounts_total',
        ',result="wrong"',
        'TidegateWrongAccounts',
        60,
        0,
      ],
      ['two endpoints differ', 'tidegate_disputed_accounts', '', 'TidegateSourcesDiffer', 345, 0],
      [
        'updates are late',
        'tidegate_completeness_delay_seconds',
        '',
        'TidegateLateUpdates',
        345,
        0,
      ],
      [
        'a slot differs from its replay',
        'tidegate_proof_counterexamples',
        '',
        'TidegateProofDiffers',
        30,
        0,
      ],
      [
        'a source loses updates',
        'tidegate_state_drift_total',
        ',kind="reserve",source="websocket"',
        'TidegateStateDrift',
        60,
        0,
      ],
      [
        'state is not compared in time',
        'tidegate_state_check_overdue_seconds',
        ',accounts="users"',
        'TidegateStateCheckOverdue',
        345,
        0,
      ],
      [
        'transactions are missing',
        'tidegate_position_gaps',
        ',kind="loan"',
        'TidegatePositionGaps',
        660,
        0,
      ],
      [
        'loans are missing in the state',
        'tidegate_open_sums',
        ',of="debts"',
        'TidegateOpenSums',
        1_860,
        0,
      ],
      [
        'accounts have unknown bytes',
        'tidegate_unknown_bytes',
        ',kind="reserve"',
        'TidegateUnknownBytes',
        105,
        0,
      ],
      [
        'a program is upgraded',
        'tidegate_program_upgrades_total',
        ',program="klend"',
        'TidegateProgramUpgraded',
        60,
        0,
      ],
      [
        'a release is not known',
        'tidegate_program_release_info',
        ',program="klend",release="",known="false"',
        'TidegateUnknownRelease',
        960,
        undefined,
      ],
    ] as const
  ).map(([fault, metric, labels, alert, within, before]) => ({
    fault,
    changes: {
      [`${metric}{instance="writer",${CLUSTER}${labels}}`]: `${before ?? '_'} ${always(1)}`,
    },
    fires: { [alert]: within },
  })),
  {
    fault: 'accounts cannot be decoded',
    changes: { [apiMetric('tidegate_unreadable_accounts')]: always(2) },
    fires: { TidegateUnreadableAccounts: 960 },
  },
];
