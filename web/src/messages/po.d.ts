/** A catalogue of translations, which the build reads for the messages of the page (`catalogues.ts`). */
declare module "*.po" {
  const words: import("./types").Catalogue;
  export default words;
}
