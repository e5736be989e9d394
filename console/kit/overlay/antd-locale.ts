import type { Locale } from 'antd/es/locale/index.js';
import chinese from 'antd/es/locale/zh_CN.js';

/** antd's words in Chinese. Its types take the file for a CommonJS module, which the bundler does not. */
export const antdLocale = chinese as unknown as Locale;
