import { tokenize } from "./tokenize.ts";

/**
 * Words that hold a sentence together and say nothing about its subject, by language. A word that is also a name or a subject of
 * skills is left out, whatever its language: "us", the stem of "use", Polish "jest", Italian "ci", French "comment", Portuguese "os",
 * Vietnamese "ai".
 */
const FUNCTION_WORDS = {
  english: `a an the this that these those i me my myself we our ours you your yours he him his she her hers it its
    they them their theirs who whom whose which what when where why how am is are was were be been being do does did
    doing don doesn didn isn aren wasn weren hasn haven hadn shouldn wouldn couldn have has had having can could shall
    should will would may might must and or but nor so if than then because while although though as of at by for with
    about against between into onto through during before after since until above below to from up down in out on off
    over under upon within without there here not no any some all each every both few many much more most other
    another such only own same too very just also again still already yet ever never always really maybe perhaps
    please thanks know want wants wanted need needs get gets got let something anything everything nothing someone
    anyone thing things`,
  german: `der das dem den des ein eine einen einem einer eines und oder aber nicht kein keine keinen ich du sie wir
    ihr mich mir dich dir sich uns euch mein meine meinen meiner dein deine sein seine ihre unser ist sind bist wird
    werden wurde waren habe haben hast kann kannst können könnte muss müssen soll sollte möchte wie was wer wo wann
    warum wenn weil dass ob als auch noch nur schon sehr von vom zu zum zur aus auf bei beim für über unter nach
    vor ohne gegen um durch im am bitte doch mal hier dort dann etwas alle diese dieser dieses diesen jetzt`,
  french: `le la les un une des du de et ou mais ne pas je tu il elle nous vous ils elles me te se mon ma mes ton ta
    tes sa ses notre votre leur leurs ce cet cette ces qui que quoi dont où quand pourquoi est sont suis êtes
    était être avoir as avons avez ont peux peut pouvez veux voudrais dois doit dans sur sous avec sans chez par
    en au aux très aussi bien tout tous toute si donc combien`,
  spanish: `el la los las un una unos unas y o pero no ni yo tú él ella nosotros ellos ellas me te se nos mi mis tu tus
    sus este esta estos estas ese esa eso que qué quién cuál cuándo cómo dónde por porque está están estoy soy
    ser estar hay ha he han tengo tiene puedo puede quiero necesito debo con sin de del al en para sobre entre desde
    hasta muy también ya lo le les cuando donde todo todos cuánto cuánta cuántos cuántas`,
  portuguese: `um uma uns umas e ou mas não nem eu você ele ela nós eles elas meu minha meus minhas seu sua seus suas este
    esta isto esse essa isso que quem qual quando onde porque por é são está estão estou sou ser estar há tem tenho
    posso pode quero preciso devo de da das em na nos nas ao aos à para pelo pela sobre entre até muito
    também já lhe mais quanta quanto quantas quantos`,
  italian: `il lo gli uno una e o ma non né io tu lui lei noi voi loro mi ti si mio mia miei suo sua nostro questo
    questa questi queste quello quella che chi quale quando perché dove è sono sei siamo ho ha abbiamo hanno posso può
    voglio vorrei devo con senza di del della dei delle al alla nel nella da dal dalla sul sulla tra fra anche molto
    più già quanto quanta quanti quante`,
  dutch: `de het een en maar niet geen ik jij je hij zij ze wij jullie mij mijn jouw zijn haar ons onze hun dit dat deze
    wie wat waar wanneer waarom hoe ben bent wordt worden heb hebt heeft hebben kan kunnen moet moeten wil zou zal met
    zonder voor naar bij uit op aan om te tot nog ook al alleen zeer graag hier`,
  polish: `i oraz lub albo ale nie tak ja ty ona ono my wy oni mnie mi mój moja moje twój jego jej ich ta te tego tej tym
    kto co który która które kiedy gdzie jak dlaczego czy są być był była mam ma mieć mogę może chcę muszę się w
    we z ze na o przez dla od za przy już tylko bardzo też jeszcze żeby że`,
  turkish: `ve veya ama fakat değil ben sen biz siz onlar benim senin bizim bana sana beni bu şu o bunu şunu kim ne hangi nerede
    nasıl neden niçin mı mi mu mü yok için ile gibi kadar sonra önce çok daha bir her de da ki ise en`,
  russian: `и или но а не ни я ты он она оно мы вы они меня мне мой моя моё мои твой его её их этот эта это эти тот та то те
    кто что какой какая какие когда где как почему зачем есть был была было были быть могу может можно нужно надо хочу
    в во на с со к ко по из за от до для о об при без над под через у же ли бы уже ещё только очень так если чтобы все
    всё`,
  arabic: `و أو ثم لكن لا ليس لم لن ما ماذا من هل كيف أين متى لماذا أنا أنت هو هي نحن هم هذا هذه ذلك تلك الذي التي في على إلى
    عن مع بين بعد قبل عند كان كانت يكون قد كل أي إن أن لي لك له لها يمكن أريد`,
  hindi: `और या लेकिन नहीं न मैं मुझे मेरा मेरी मेरे तुम आप आपका वह यह ये वे हम उसका इसका क्या कौन कब कहाँ कहां कैसे क्यों है हैं हूँ हूं था थी थे
    हो होना का की के को से में पर तक लिए साथ भी ही तो कि जो अगर सब कुछ बहुत करना करो करें करूँ चाहिए`,
  korean: `은 는 이 가 을 를 의 에 에서 에게 으로 로 와 과 도 만 그리고 하지만 그런데 나 저 너 우리 이것 그것 무엇 뭐 누구 어디 언제
    왜 어떻게 좀 수 있어 있나요 해줘 해주세요 합니다 입니다 니다 세요 하는 에요`,
  ukrainian: `і й та або але що щоб це цей ця ці той я ти він вона воно ми ви вони мені мене мій моя моє твій його її їх хто
    який яка яке коли де як чому навіщо є був була було бути можу може можна треба потрібно хочу у в на з зі до від за для про при
    без над під через ж чи б вже ще тільки дуже так якщо не ні`,
  greek: `ο η το οι τα του της των τον την τους τις ένας μια ένα και ή αλλά δεν μη μην όχι εγώ εσύ αυτός αυτή αυτό εμείς εσείς μου
    σου μας σας τι ποιος ποια ποιο πότε πού πώς γιατί είναι ήταν είμαι έχω έχει μπορώ μπορεί θέλω πρέπει να θα με σε στο στη στην
    στα από για προς χωρίς πολύ και πιο αν όταν`,
  vietnamese: `và hoặc nhưng không tôi anh chị nó chúng mình này kia đó ấy nào khi đâu sao thế là có được đã đang sẽ
    của trong ngoài trên dưới với cho để từ đến những một rất cũng thì mà nếu như hãy giúp làm bao nhiêu`,
  indonesian: `dan atau tetapi tidak bukan saya aku kamu anda kami kita mereka ini itu siapa kapan bagaimana mengapa kenapa
    adalah ada bisa dapat harus ingin mau yang untuk dari ke di pada dengan tanpa oleh sangat juga sudah belum akan jika agar tolong`,
  persian: `و یا اما که این آن من تو او ما شما آنها چه چی کی کجا چرا چطور چگونه است هست بود باشد شود را به از در با بدون برای تا
    هم خیلی می نمی باید اگر یک هر همه`,
  thai: `ที่ และ หรือ แต่ ของ ใน เป็น มี ไม่ ได้ ให้ จะ กับ ฉัน ผม คุณ เรา เขา อะไร ไหม ครับ ค่ะ คะ นี้ นั้น ช่วย อยาก ยังไง อย่าง ไร
    ทำไม หน่อย จาก ว่า แล้ว ก็ ไป มา ทำ ต้อง ถ้า เมื่อ การ ความ`,
};

let english: ReadonlySet<string> | undefined;
let foreign: ReadonlySet<string> | undefined;
const byLanguage = new Map<string, ReadonlySet<string>>();

function readTable(): void {
  const { english: own, ...others } = FUNCTION_WORDS;
  const known = new Set(tokenize(own));
  for (const [language, words] of Object.entries(others))
    byLanguage.set(language, new Set(tokenize(words).filter((word) => !known.has(word))));
  english = known;
  foreign = new Set([...byLanguage.values()].flatMap((words) => [...words]));
}

/** Whether a word, as `tokenize` returns it, is such a word. */
export function isFunctionWord(word: string): boolean {
  if (!english) readTable();
  return english?.has(word) === true || foreign?.has(word) === true;
}

/** How many words of a text are such words, by language, English and those with none left out. */
export function functionWordsIn(text: string): ReadonlyMap<string, number> {
  if (!english) readTable();
  const words = tokenize(text);
  const counts = [...byLanguage].map(
    ([language, own]) => [language, words.filter((word) => own.has(word)).length] as const,
  );
  return new Map(counts.filter(([, count]) => count > 0));
}

/** Whether a text is in another language than English: by its letters, else by its function words. */
export function isForeign(text: string): boolean {
  if (!english) readTable();
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (latin * 2 < letters) return true;
  const words = tokenize(text);
  const count = (of: ReadonlySet<string> | undefined): number => words.filter((word) => of?.has(word)).length;
  return count(foreign) > count(english);
}
