import styles from 'virtual:antd-styles';
import { ConfigProvider } from 'antd';
import type { ReactNode } from 'react';
import { useStore } from '../call/store.ts';
import { antdLocale } from './antd-locale.ts';
import { csp } from './nonce.ts';
import { printing } from './printing.ts';
import { antdTheme } from './theme.ts';
import { useTheme } from './theme-choice.ts';

// Before all others, which are to win over them wherever both say something.
const sheet = document.createElement('style');
sheet.nonce = csp.nonce;
sheet.textContent = styles;
document.head.prepend(sheet);

const button = { autoInsertSpace: false };

/**
 * Everything of antd stands in here: its language, looks and the nonce of its styles. The shell and the lists do without
 * antd, so that first rows need not wait for it; what uses it (forms, selects, pickers) loads after them.
 */
export function Antd({ children }: { readonly children: ReactNode }) {
  const chosen = useTheme();
  const theme = useStore(printing) ? 'light' : chosen;
  return (
    <ConfigProvider
      locale={antdLocale}
      theme={antdTheme[theme]}
      componentSize="small"
      csp={csp}
      button={button}
    >
      {children}
    </ConfigProvider>
  );
}
