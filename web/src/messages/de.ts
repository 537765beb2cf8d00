export { default as words } from "../../../src/fivedice/locale/de/LC_MESSAGES/fivedice.po";
