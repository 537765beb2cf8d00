export { default as words } from "../../../src/fivedice/locale/sv/LC_MESSAGES/fivedice.po";
