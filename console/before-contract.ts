import { config } from 'zod';

// Must run before the contract is loaded: without it zod tries `new Function`, which the page's policy reports.
config({ jitless: true });
