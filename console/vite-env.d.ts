/// <reference types="vite/client" />

declare module 'virtual:antd-styles' {
  const styles: string;
  export default styles;
}
