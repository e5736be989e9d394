import { handlers, ownTransactions } from '#server/http/handler.ts';
import { readParam } from '#server/params/read-param.ts';
import { reportDayNow } from '../reports/report-day-now.ts';
import { keepLanguage } from './language-store.ts';

export const consoleSettingsHandlers = handlers({
  getConsoleSettings: async ({ db }) => ({
    watermark: await readParam(db, 'console.watermark'),
    reportDay: await reportDayNow(db),
  }),

  // In which language somebody reads is no change that anybody would look up.
  saveLanguage: ownTransactions(
    async ({ db, operator }, { language }) => {
      await keepLanguage(db, operator.id, language);
      return true as const;
    },
    { recorded: false },
  ),
});
