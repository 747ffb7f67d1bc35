import { describe, expect, it } from "vitest";
import { openCatalog } from "../open-catalog.ts";
import { makeFolder, skillText } from "../testing/index.ts";

/** A skill in each language, requests for it in other forms of its words, and everyday requests that it is not for. */
const LANGUAGES: Readonly<Record<string, { skill: string; fits: string[]; others: string[] }>> = {
  German: {
    skill: "Prüft Arbeitsverträge auf fehlende Klauseln und überlange Kündigungsfristen.",
    fits: ["prüft die Klauseln in meinem Arbeitsvertrag", "Sind die KÜNDIGUNGSFRISTEN in Ordnung?"],
    others: ["Wie bekomme ich Rotwein aus dem Sofa?", "Welche Pflanzen vertragen einen dunklen Balkon?"],
  },
  French: {
    skill: "Rédige le compte rendu d'une réunion à partir de notes éparses.",
    fits: ["redige le compte rendu de la reunion d'hier", "mets en forme mes notes de réunion"],
    others: ["Comment enlever une tache de café ?", "Mon chat ne veut plus manger ses croquettes"],
  },
  Spanish: {
    skill: "Calcula la nómina mensual y las retenciones de cada empleado.",
    fits: ["calcula la nomina de marzo", "¿qué retenciones lleva este empleado?"],
    others: ["¿Cómo se cambia una rueda pinchada?", "Me duele la espalda cuando me levanto"],
  },
  Russian: {
    skill: "Составляет отчёты о продажах по данным из таблиц.",
    fits: ["составь отчет о продажах", "сделай отчёт по таблице"],
    others: ["Как почистить серебряную цепочку дома?", "Почему собака воет по ночам?"],
  },
  Greek: {
    skill: "Γράφει ενημερωτικά δελτία για τους πελάτες ενός καταστήματος.",
    fits: ["ΓΡΑΦΕΙ ΔΕΛΤΙΑ ΓΙΑ ΠΕΛΑΤΕΣ", "ενημερωτικα δελτια για το κατάστημα"],
    others: ["Πώς καθαρίζω τον φούρνο;", "Τι δώρο να πάρω στη μητέρα μου;"],
  },
  Turkish: {
    skill: "İade taleplerini yanıtlar ve kargo durumunu müşteriye bildirir.",
    fits: ["iade talebini yanıtlar mısın", "KARGO DURUMUNU BİLDİR"],
    others: ["Halıdaki çay lekesi nasıl çıkar?", "Kedim neden sürekli uyuyor?"],
  },
  Vietnamese: {
    skill: "Soạn thảo hợp đồng thuê nhà và kiểm tra các điều khoản.",
    fits: ["soạn hợp đồng thuê nhà giúp tôi", "kiem tra dieu khoan hop dong"],
    others: ["Làm thế nào để nấu cơm ngon?", "Thời tiết ngày mai ở Hà Nội thế nào?"],
  },
  Arabic: {
    skill: "يراجع عقود الإيجار ويستخرج المواعيد والمبالغ.",
    fits: ["استخرج المبالغ من عقود الايجار", "ما هي المَواعِيد في عقد الإيجـــار؟"],
    others: ["كيف أطبخ الأرز دون أن يلتصق؟", "عندي صداع منذ الصباح"],
  },
  Hindi: {
    skill: "बैठकों के नोट्स से कार्यवृत्त और कार्यों की सूची तैयार करता है।",
    fits: ["बैठक का कार्यवृत्त तैयार करो", "इस बैठक के कार्यों की सूची बनाओ"],
    others: ["बालों का झड़ना कैसे रोकें?", "बारिश में कपड़े जल्दी कैसे सुखाएँ?"],
  },
  Korean: {
    skill: "회의록을 정리하고 할 일 목록을 작성합니다.",
    fits: ["회의록 정리해 줘", "어제 회의 내용으로 할 일 목록을 작성해 주세요"],
    others: ["김치가 너무 시면 어떻게 하나요?", "등산할 때 무릎이 아파요"],
  },
  Thai: {
    skill: "เขียนรายงานการประชุมและสรุปงานที่ต้องทำ",
    fits: ["ช่วยเขียนรายงานการประชุมหน่อย", "สรุปงานจากการประชุมเมื่อวาน"],
    others: ["ทำต้มยำกุ้งอย่างไร", "แมวของฉันไม่ยอมกินข้าว"],
  },
  Japanese: {
    skill: "請求書を作成し、支払い期限を確認します。",
    fits: ["請求書を作成して", "支払い期限を確認したい"],
    others: ["赤ワインの染みを落としたい", "猫がご飯を食べない"],
  },
};

const SUBJECTS = [
  "invoices",
  "pull requests",
  "travel plans",
  "SQL queries",
  "logos",
  "unit tests",
  "podcasts",
];
const DEEDS = ["Draft", "Review", "Translate", "Summarize", "Publish", "Track", "Archive"];

async function open(language: string, size: number) {
  const english = SUBJECTS.flatMap((subject) => DEEDS.map((deed) => `${deed} ${subject} for a small team.`));
  const texts = [LANGUAGES[language]?.skill ?? "", ...english.slice(0, size - 1)];
  const folder = makeFolder(
    Object.fromEntries(
      texts.map((text, i) => [`skills/skill-${i}/SKILL.md`, `${skillText(`skill-${i}`, text)}\n${text}\n`]),
    ),
  );
  const at = folder.at("skills");
  const catalog = await openCatalog({ cwd: at, roots: [{ path: at }], cache: false, env: {}, home: at });
  const fitting = (query: string): string[] =>
    catalog.search(query).results.flatMap(({ fits, skill }) => (fits ? [skill.name] : []));
  return { fitting, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

describe("skills in English", () => {
  const SKILLS = {
    billing: "Draft an invoice and remind customers of a late payment.",
    vulnerabilities: "Find security vulnerabilities in code before a release.",
    contracts: "Review a contract for missing clauses.",
  };

  it("are found by a request in another language, word by word, which `matched` shows", async () => {
    using folder = makeFolder(
      Object.fromEntries(
        Object.entries(SKILLS).map(([name, text]) => [`skills/${name}/SKILL.md`, skillText(name, text)]),
      ),
    );
    const at = folder.at("skills");
    const catalog = await openCatalog({ cwd: at, roots: [{ path: at }], cache: false, env: {}, home: at });
    const { results, translated } = catalog.search("Schreib unserem Kunden eine Rechnung");
    expect(translated).toBe(true);
    expect(results[0]).toMatchObject({ skill: { name: "billing" }, fits: true });
    expect(results[0]?.matched).toEqual(expect.arrayContaining(["Kunden→customer", "Rechnung→invoice"]));
    for (const [query, name] of [
      ["Busca vulnerabilidades en este código", "vulnerabilities"],
      ["계약서를 검토해 주세요", "contracts"],
      ["راجع هذا العقد", "contracts"],
    ] as const)
      expect(catalog.search(query).results.filter(({ fits }) => fits)).toMatchObject([{ skill: { name } }]);
    for (const { others } of Object.values(LANGUAGES))
      for (const query of others) expect(catalog.search(query).fitting).toBe(0);
    // What an English phrasing finds is better than single words.
    const asked = catalog.search("Schreib unserem Kunden eine Rechnung", { also: ["review a contract"] });
    expect(asked.translated).toBeUndefined();
    expect(asked.results[0]?.skill.name).toBe("contracts");
  });
});

describe.each(Object.keys(LANGUAGES))("a home with one skill in %s", (language) => {
  it.each([10, 50])("of %i finds it for what it is for, and not for everyday requests", async (size) => {
    using home = await open(language, size);
    const { fits = [], others = [] } = LANGUAGES[language] ?? {};
    expect(fits.map(home.fitting)).toEqual(fits.map(() => ["skill-0"]));
    expect(others.map(home.fitting)).toEqual(others.map(() => []));
  });
});
