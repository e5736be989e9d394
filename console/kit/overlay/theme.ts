import { type ThemeConfig, theme } from 'antd';
import type { Theme } from './theme-choice.ts';

/** As large as a finger on a phone, as theme.css has it. */
const controlHeightSM = window.matchMedia('(max-width: 640px)').matches ? 40 : 28;

/** For whoever wants none, nothing glides: made as short as can be, a dialog would still stand small for two frames where it was asked for. */
const motion = !window.matchMedia('(prefers-reduced-motion: reduce)').matches;

const shared = {
  borderRadius: 6,
  borderRadiusSM: 6,
  controlHeightSM,
  motion,
  fontSize: 13,
  fontFamily: 'var(--font)',
  wireframe: false,
} as const;

/** Its styles are there already, by the names they have without a theme of their own: `console/antd-styles.ts`. */
const made = { hashed: false, zeroRuntime: true } as const;

/** antd in the colours of theme.css. */
export const antdTheme: Readonly<Record<Theme, ThemeConfig>> = {
  light: {
    ...made,
    token: {
      ...shared,
      ...{ colorPrimary: '#0f7f73', colorError: '#cb3a3a', colorSuccess: '#157a43', colorInfo: '#0f7f73' },
      ...{ colorLink: '#0b7268', colorText: '#1b2631', colorBorder: '#d3dae0', colorBgLayout: '#f2f5f6' },
      colorTextPlaceholder: '#536170',
    },
  },
  dark: {
    ...made,
    algorithm: theme.darkAlgorithm,
    token: {
      ...shared,
      ...{ colorPrimary: '#1a9688', colorError: '#d9534f', colorSuccess: '#56c88a', colorInfo: '#1a9688' },
      ...{ colorLink: '#4cc3b4', colorText: '#d8e0e7', colorBgBase: '#172028', colorBgContainer: '#172028' },
      ...{ colorBgElevated: '#202b34', colorBorder: '#35434f', colorBgLayout: '#0f161c' },
      colorTextPlaceholder: '#9dabb8',
    },
  },
};
