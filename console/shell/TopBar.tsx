import {
  BellOutlined,
  BulbOutlined,
  FileTextOutlined,
  GlobalOutlined,
  HomeOutlined,
  LogoutOutlined,
  MenuFoldOutlined,
  MenuUnfoldOutlined,
  SafetyOutlined,
  SearchOutlined,
  UserOutlined,
} from '@ant-design/icons';
import { type MouseEvent, useState } from 'react';
import { Link } from 'react-router';
import { openRoutes } from '#contract/screens.ts';
import { logout } from '#contract/sign-in.ts';
import {
  call,
  changeLanguage,
  leaveForLogin,
  otherLanguage,
  queryClient,
  readOperatorName,
} from '../kit/call/index.ts';
import { dropAllDrafts, unsavedTabs } from '../kit/form/index.ts';
import { askAt, closePopup, openPopup, toggleTheme, useTheme } from '../kit/overlay/index.ts';
import { chime, isChimeOn, switchChime } from './chime.ts';
import './top-bar.css';

interface TopBarProps {
  readonly trail: readonly string[];
  readonly collapsed: boolean;
  readonly onToggle: () => void;
  readonly onFind: () => void;
}

/** Asks first where something was entered and not sent. */
function onSignOut({ currentTarget }: MouseEvent<HTMLElement>): void {
  if (unsavedTabs().size === 0) return void signOut();
  const text = '有填写的内容尚未提交，退出后将丢失。';
  askAt(currentTarget, { text, word: '退出', danger: true, onYes: () => void signOut() });
}

/** A refusal has been told. */
function onLanguage(): void {
  closePopup();
  void changeLanguage().catch(() => undefined);
}

/** Leaves whatever the server says: an operator who wants out must get out. */
async function signOut(): Promise<void> {
  closePopup();
  await call(logout, {}).catch(() => undefined);
  queryClient.clear();
  dropAllDrafts();
  leaveForLogin();
}

export function TopBar({ trail, collapsed, onToggle, onFind }: TopBarProps) {
  const theme = useTheme();
  const themeLabel = theme === 'dark' ? '切换为浅色' : '切换为深色';
  const name = readOperatorName() || '操作员';
  const onUser = (event: MouseEvent<HTMLElement>) => openPopup(event.currentTarget, '用户菜单', <UserMenu />);
  return (
    <header className="top">
      <button
        type="button"
        className="top-button"
        aria-label={collapsed ? '展开菜单' : '收起菜单'}
        aria-expanded={!collapsed}
        onClick={onToggle}
      >
        {collapsed ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />}
      </button>
      <nav className="top-trail" aria-label="面包屑">
        <ol>
          <li>
            <Link to={openRoutes.overview.path}>
              <HomeOutlined aria-hidden /> 首页
            </Link>
          </li>
          {trail.map((title, place) => (
            <li
              key={title + String(place)}
              title={title}
              aria-current={place === trail.length - 1 ? 'page' : undefined}
            >
              {place === trail.length - 1 ? <h1>{title}</h1> : title}
            </li>
          ))}
        </ol>
      </nav>
      <button
        type="button"
        className="top-button"
        aria-label="查找"
        aria-keyshortcuts="Control+K"
        title="查找（Ctrl-K）"
        onClick={onFind}
      >
        <SearchOutlined />
      </button>
      <button
        type="button"
        className="top-button"
        aria-label={themeLabel}
        title={themeLabel}
        onClick={toggleTheme}
      >
        <BulbOutlined />
      </button>
      <button type="button" className="top-button top-user" aria-haspopup="dialog" onClick={onUser}>
        <span className="top-face" aria-hidden="true">
          <UserOutlined />
        </span>
        <span className="top-name" title={name}>
          {name}
        </span>{' '}
        <span aria-hidden="true">▾</span>
      </button>
    </header>
  );
}

/** What is switched on is heard at once. */
function ChimeSwitch() {
  const [on, setOn] = useState(isChimeOn);
  const onClick = () => {
    switchChime(!on);
    setOn(!on);
    if (!on) void chime();
  };
  return (
    <button type="button" role="switch" aria-checked={on} onClick={onClick}>
      <BellOutlined aria-hidden /> 提示音：{on ? '开' : '关'}
    </button>
  );
}

const UserMenu = () => (
  <div className="popup-items top-menu">
    <Link to={openRoutes.safe.path} onClick={closePopup}>
      <SafetyOutlined aria-hidden /> {openRoutes.safe.title}
    </Link>
    <Link to={openRoutes.document.path} onClick={closePopup}>
      <FileTextOutlined aria-hidden /> {openRoutes.document.title}
    </Link>
    <ChimeSwitch />
    <button type="button" lang={otherLanguage.code} onClick={onLanguage}>
      <GlobalOutlined aria-hidden /> {otherLanguage.name}
    </button>
    <button type="button" onClick={onSignOut}>
      <LogoutOutlined aria-hidden /> 退出
    </button>
  </div>
);
