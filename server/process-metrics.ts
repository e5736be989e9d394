import { Registry } from 'prom-client';

/** What this process measures besides its requests; /metrics tells it too. */
export const processMetrics = new Registry();
