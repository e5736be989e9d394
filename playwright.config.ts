import { defineConfig, devices } from '@playwright/test';
import { findJourneyChromium, journeyArguments } from './browser-tests/chromium.ts';

// This file is read once more in every worker: the search must not be repeated there, and the server runs by then.
process.env.CHROMIUM_PROGRAM ??= findJourneyChromium();

export default defineConfig({
  testDir: 'browser-tests',
  globalSetup: './browser-tests/server.ts',
  // Much of a journey is waiting for the server.
  workers: 4,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // A slow machine is no fault, and waiting longer costs nothing where nothing is wrong. It is the step that hangs that ends a journey
  // (`actionTimeout` below), and is named; no journey sets a time for the whole of it, however many screens it walks through.
  timeout: 900_000,
  // What is tried again and again waits for engines that draw and settle. Without a time it would hang as long as the whole journey may.
  expect: { timeout: 60_000, toPass: { timeout: 180_000 } },
  // A journey that fails once is run once more and named as unsteady in the summary, to be looked into; twice fails the run.
  retries: 1,
  reporter: 'list',
  // The hostile texts take longer than any journey: begun first, nothing waits for them in the end.
  projects: [
    { name: 'hostile', testMatch: '**/stored-text.spec.ts' },
    { name: 'journeys', testIgnore: '**/stored-text.spec.ts' },
  ],
  use: {
    ...devices['Desktop Chrome'],
    baseURL: process.env.CONSOLE_ORIGIN,
    actionTimeout: 90_000,
    navigationTimeout: 90_000,
    viewport: { width: 1280, height: 800 },
    // What one journey fetched and compiled of the console serves the next: a third of the cost of a journey was reading it anew.
    // Storage, pages and listeners are each journey's own all the same.
    reuseContext: true,
    // What glides costs a picture a frame and shows no journey anything; `list.spec.ts` looks at what does.
    contextOptions: { reducedMotion: 'reduce' },
    locale: 'zh-CN',
    // Far from the platform's zone, so that a time converted to the browser's shows.
    timezoneId: 'America/New_York',
    // Whatever fails is run once more, and then each step's page is kept as it was: keeping it of every journey was a tenth of the cost.
    // Pictures of every frame besides would take longer to make than the steps.
    trace: { mode: 'on-first-retry', screenshots: false, snapshots: true, sources: true },
    launchOptions: {
      executablePath: process.env.CHROMIUM_PROGRAM,
      args: journeyArguments,
      // In a locale without UTF-8 Chromium names a download with Chinese letters “download”.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    },
  },
});
