import { saveLanguage } from '#contract/console-settings.ts';
import { LANGUAGE_COOKIE, type Language, language } from '#contract/language.ts';
import { call } from './call.ts';
import { dropCache, readWindowCache, writeWindowCache } from './local-cache.ts';
import { toast } from './notices.ts';
import { MENUS } from './session.ts';

/** The language that the console can be changed to. */
export const otherLanguage: { readonly code: Language; readonly name: string } =
  language === 'zh' ? { code: 'en', name: 'English' } : { code: 'zh', name: '中文' };

const CHOSEN = 'language-chosen';
const YEAR_SECONDS = 31_536_000;

/** Has this browser ask for another language's page from now on; false where it keeps no cookies. */
function askFor(code: Language): boolean {
  // biome-ignore lint/suspicious/noDocumentCookie: not all browsers that the console runs in have the newer interface
  document.cookie = `${LANGUAGE_COOKIE}=${code}; path=/; max-age=${YEAR_SECONDS}; samesite=strict`;
  const isKept = document.cookie.split('; ').includes(`${LANGUAGE_COOKIE}=${code}`);
  if (isKept) dropCache(MENUS);
  else toast('error', '浏览器不保存本网站的数据，不能更换语言');
  return isKept;
}

/** Changes the language before anybody has signed in; whoever does in this window keeps it. */
export function chooseForSignIn(): void {
  writeWindowCache(CHOSEN, otherLanguage.code);
  if (askFor(otherLanguage.code)) location.reload();
}

/** Changes the operator's language, here and wherever they sign in next; what they have entered is still there then. */
export async function changeLanguage(): Promise<void> {
  await call(saveLanguage, { language: otherLanguage.code });
  if (askFor(otherLanguage.code)) location.reload();
}

/** Goes on in the language that an operator has chosen, or keeps what was chosen where they signed in; true once the page is being left for it. */
export function followLanguage(chosen: Language | undefined): boolean {
  const isOwn = readWindowCache<Language>(CHOSEN) === language;
  writeWindowCache(CHOSEN, null);
  if (isOwn) {
    if (chosen !== language)
      void call(saveLanguage, { language }, { loading: false, quiet: true }).catch(() => undefined);
    return false;
  }
  if (!chosen || chosen === language || !askFor(chosen)) return false;
  location.replace('/main');
  return true;
}
