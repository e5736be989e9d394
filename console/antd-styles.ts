import { createCache, extractStyle, StyleProvider, type Transformer } from '@ant-design/cssinjs';
import {
  Button,
  ConfigProvider,
  DatePicker,
  Empty,
  Input,
  Modal,
  Radio,
  Select,
  Switch,
  type ThemeConfig,
} from 'antd';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import type { Plugin } from 'vite';

const IMPORTED = 'virtual:antd-styles';
/** The module that holds the styles as a text. */
export const antdStylesId = `\0${IMPORTED}`;

/** antd says what links look like, and means those in its own parts; as styles of the page that would hold for all of ours. */
const withoutLinks: Transformer = { visit: ({ a: _links, ...others }) => others };

/**
 * The styles that antd would make in the browser when it first draws each part that the console uses, or what such a part draws once it is
 * open: the button of a picker, and that a select has nothing. Their colours and sizes are variables, which `Antd` sets, so that all themes
 * share them.
 */
export function antdStyles(theme: ThemeConfig = {}): string {
  const cache = createCache();
  const parts = createElement(
    ConfigProvider,
    { theme: { ...theme, hashed: false } },
    createElement(Button),
    createElement(DatePicker),
    createElement(DatePicker.RangePicker),
    createElement(Empty),
    createElement(Input),
    createElement(Input.Password),
    createElement(Modal),
    createElement(Radio.Group, { options: ['one'] }),
    createElement(Select),
    createElement(Switch),
  );
  renderToString(createElement(StyleProvider, { cache, transformers: [withoutLinks] }, parts));
  return extractStyle(cache, { plain: true, types: ['style'] });
}

/** Makes antd's styles when the console is built: `import styles from 'virtual:antd-styles'`. */
export const antdStylesPlugin = (): Plugin => ({
  name: 'antd-styles',
  resolveId: (id) => (id === IMPORTED ? antdStylesId : null),
  load: (id) => (id === antdStylesId ? `export default ${JSON.stringify(antdStyles())}` : null),
});
