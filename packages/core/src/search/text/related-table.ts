/**
 * Plain words and what skills say instead. Each word before a colon means about what the words after it mean, and the other words
 * before it. Written by hand, from what people do with computers and in everyday life, not from skills or requests.
 */
export const RELATED_TABLE = `
accident emergency disaster: incident emergency recovery disaster; accuracy accurate exact precise: accuracy precision validation; actor actress cast: actor media movie
addicted addiction alcohol smoking: quit addiction sobriety; advert ads advertise advertising: ads advertising campaign ppc paid; advice advise: advice advisor guidance consulting
ai chatgpt: ai llm gpt chatgpt; airport plane airplane: flight travel airport; album gallery: photo image gallery
alive down healthy: health status monitor uptime outage; allergy allergic: allergy health nutrition; allowed permission permissions may: authorization permission rbac access role policy
amazon: aws amazon; angry upset annoyed furious: complaint customer emotion conflict; animation movement smooth glide: animation transition motion
answer answers reply: answer response; api interface: api interface endpoint; apology sorry apologise: apology email communication
applicant applicants candidate candidates: candidate recruiting hiring resume; approve approval permit: approval workflow permission; architecture blueprint: architecture design
argue argument conflict disagree: conflict feedback negotiation difficult; art artist artwork painting paint: art image painting illustration; article articles paper papers: paper article literature research publication
ask question questions: question ask interview; attach attachment: attachment file email; author authors: author writing
automatic automatically: automation automated workflow; average mean median: statistics mean average; baby parents: parenting baby family
background wallpaper: background image; backup restore lost: backup restore recovery; bad worse worst: quality problem issue
balance balances: balance account; bank: bank banking account finance; bargain discount coupon voucher: discount promotion coupon price
basics beginner introduction: tutorial introduction fundamentals; battery charger: battery power energy; beginner newbie: beginner tutorial onboarding
bet bets betting: prediction market odds betting trade; big huge thick large giant: large scale big; bigger enlarge sharper: upscale resize enlarge
bike bicycle cycling: cycling fitness; bill bills invoice: invoice billing payment; bird birds: bird species
bitcoin coin coins crypto: crypto cryptocurrency bitcoin token wallet; blind deaf wheelchair disabled: accessibility wcag screen; block blocked ban banned: block access denied firewall
blog blogs: blog post content writing; blood sample samples: blood sample clinical; boat ship sail: marine shipping vessel
body: body health; book booking reserve: booking reservation schedule; book books: book reading ebook
bookkeeping books accountant: accounting bookkeeping ledger finance; bookmark later save: bookmark save read-later; border edge: border layout css
bored entertain entertainment: entertainment game recommendation; boss manager: manager leadership executive stakeholder; bottleneck jam: bottleneck performance profiling
brain: brain neural eeg neuroscience; branch branches: git branch worktree; brand: brand branding identity
brief shortly concise: summary brief concise; broken broke breaks breaking: failing failure error bug debug broken fix; browser tab tabs: browser web chrome
browser: browser web automation playwright; budget afford: budget cost finance; bug bugs glitch: bug debug issue defect error
builds automatic: ci build; bulk mass hundreds: batch bulk; bundle bundler: bundle webpack build vite
burglar break: intrusion breach attack; business: business strategy; button buttons: button component ui cta
button toggle switch: button component toggle; buy buyer buyers purchase: purchase buyer customer checkout; cache cached: cache caching
calculate calculator sum add: calculation calculator math; calendar appointment schedule: calendar schedule appointment booking; calm relax meditation meditate: meditation mindfulness
camera webcam: camera video image capture; campaign: campaign marketing; cancer tumour tumor: cancer tumor oncology
captcha robot: captcha scraping bot; card: card gpu; career promotion promoted: career promotion growth
carry transport: logistics transport; cart basket: cart checkout ecommerce; cartoon comic comics manga: comic illustration cartoon
catalogue: catalog; category categories group groups: category classification cluster segment; caution careful: safety risk review
cellphone text sms: sms phone message; certificate: certificate tls; chair furniture room: interior home design
chance probability likely odds: probability statistics prediction odds; changelog changed: changelog release changes; chapter chapters: chapter book
charity donate: nonprofit donation; chart charts graph curve plot: chart plot visualization graph; chat messenger: chat messaging slack telegram whatsapp
chatbot assistant: chatbot agent llm assistant; cheaper: cost optimization; cheat-sheet: reference
check checks checking: verify check validate review audit test; chip processor: cpu processor hardware; circle loops loop: loop cycle
circuit board: circuit pcb hardware; clean tidy cleanup: cleanup clean refactor organize; click clicks: click event conversion tracking
clock timer time: time timer timezone scheduling; clothes dress fashion outfit wear: fashion clothing style; cloud: cloud aws azure gcp infrastructure
club community forum: community discord forum; clumsy dull boring wordy awkward: edit copywriting improve style; cluster clusters: kubernetes cluster orchestration
coach mentor: coaching mentor; code coding: code programming; collect gather: collect aggregate gather
colour color colours: color palette theme colour; comfortable confidence: coaching; command commands terminal shell console: terminal cli shell bash command
comment comments: comment review annotation; commit commits: commit git; compare difference differs: compare comparison diff
complaint complain complaints: complaint feedback support customer; compliant audit auditor: audit compliance; concert ticket tickets theatre: event ticket
confused confusing unclear: clarify explain documentation ux; connect connection hook link: integration connection connect api; consent cookies cookie: cookie consent privacy gdpr
consult consultant: consulting advisor; consume usage uses: usage consumption monitoring; contact contacts address addresses: contact email lead crm address
container containers boxed: docker container devcontainer; contract contracts lawyer: contract legal agreement clause; conversation talk dialogue: conversation chat dialog
convert turn change: convert transform migrate; cool hot overheats: thermal temperature cooling; copy clone: copy clone duplicate backup
copyright claim: copyright license claim; correct mistake: correction fix review; cost costs spend spending: cost budget expense spend
count counting: count measure quantify; country countries nation: country location geo; couple marriage partner: relationship partner
cover covers: coverage cover; crash crashes crashed dies died: crash exception failure debug error; creative creativity: creative ideation brainstorm
culprit culprits: cause hypothesis bug root; currency dollar euro exchange: currency exchange forex finance; customer customers client clients: customer client user
customise customize adapt: customize configuration; cut trim crop shorten: crop trim edit cut clip; cv resume: resume cv job
danger dangerous: risk security safety threat; dashboard overview: dashboard report monitoring; database databases db: database sql schema postgres
day today tomorrow: daily schedule calendar; dead unused obsolete: unused deprecated cleanup; deadline late: deadline schedule planning
decide decision choose: decision choose compare tradeoff; delay delayed wait waiting waits: latency delay timeout queue async; delete remove wipe: delete remove cleanup
department: department organization team; depend depends: dependency; deploy live production online: deploy deployment production hosting
describe description: description documentation; desk office: office workspace; desktop monitor headless: headless desktop display
developer developers programmer engineers: developer engineering; device devices gadget: device hardware iot; diagram flowchart: diagram mermaid flowchart
diary journal: journal diary log; dictate dictated: voice transcription speech dictation; dig research: research investigate search
disagree objections: objection negotiation conflict; disappear vanish vanished missing: missing lost recovery churn; disease infection virus epidemic: disease infection pathogen epidemiology
disk drive storage: disk storage space cleanup; divorce custody: family law divorce; doctor patient patients sick ill: medical clinical patient health diagnosis
document documents file files: document file docx pdf; done finished complete: complete verification done finish; doubt challenge objection: critique challenge devil objection
download downloads: download lead; draft: draft writing; drawing sketch draw: diagram illustration sketch canvas visual draw
dryer washer fridge: appliance smart home; duplicate duplicates twice double: duplicate deduplicate; earn income profit: revenue profit income earnings
earth climate carbon green: climate carbon sustainability environmental; earthquake flood fire: disaster emergency; economy economic inflation: economic macro inflation market
elderly senior: care; electric circuit wiring: electrical circuit; embarrassing shy: communication coaching
emotion mood feeling feelings feel: mood emotion mental journal; encrypt encrypted cipher: encryption cryptography crypto; english german french spanish: language translation
equipment: equipment hardware; error errors message: error exception log; essay thesis dissertation: thesis academic writing paper
estimate effort: estimate estimation; ethic ethics moral fair: ethics bias fairness; evidence: evidence forensic
exam test final quiz: exam quiz study flashcard; excuse: communication; expire expired renew: expiration renewal certificate
explain understand: explain documentation understand; export import: export import convert; face faces: face recognition image
fact facts true truth false: fact verification fact-check; factory production-line: manufacturing; fail fails failed failing: failure failing error debug
fake phishing: phishing fake spoof; family tree: phylogenetic tree genealogy; famous known: visibility awareness brand pr
fan follower followers: follower social audience; farm crop crops soil: agriculture crop farming; fast faster quick quicker speed: performance optimize fast speed latency
father mother son daughter: family parenting; favourite like likes: favorite recommendation; fear sad anxious stress: mental stress anxiety wellbeing therapy
feedback rude polite: feedback communication constructive; field fields: field form; fill filled: form fill
film movie clip footage: video film clip movie; find search look seek: search find lookup discover; fine penalty: fine compliance legal
firewall port: firewall network port; firm firms company companies business: company business organization startup enterprise; fix repair mend: fix repair debug resolve
flag flags: flag props boolean; flaky sometimes random: flaky intermittent nondeterministic; flash flashed: flash firmware image
flower garden gardening: garden plant; fluent pronunciation accent: pronunciation language speaking; focus distracted: focus productivity adhd
folder folders directory: file folder directory organize; follow-up reply: follow-up email reply; font letters typeface: typography font
food cook cooking recipe dinner: recipe cooking meal food; forecast future: forecast prediction projection; foreign abroad overseas: international localization
forgot lost: lost recovery reset; form forms questionnaire: form survey questionnaire; format formatted layout: format layout style
formula equation: equation formula math latex; fraud scam: fraud scam detection; freelance freelancer contractor: freelance contractor client
fresh clean-room: new; friend friends invite: referral invite friend; front: frontend landing home
fun: game fun; game games play: game gaming play; gap gaps: gap analysis
gene genes dna: gene genome dna sequencing variant genomics; genome sequence sequences reads: sequencing genome alignment; gentle kind: empathy communication
germ germs bacteria: microbial bacteria pathogen microbiome; goal goals aim: goal objective okr; good better best: quality best improve
google: google gcp; gossip rumour: news social; grade marks score rate: score evaluate grading assessment rubric
graph node nodes: graph network node; graphics gpu: gpu cuda graphics; groceries shopping: grocery shopping
grow growth growing: growth scale; guess guesses: estimate hypothesis; guest guests: guest event
guide steps: guide tutorial step; gym workout exercise run: workout fitness exercise training; habit habits smoke drink: habit tracking quit
handover shift: handoff; handwriting handwritten: ocr handwriting; hash hashes checksum checksums: hash sha checksum crypto
headline headlines slogan: headline copy copywriting tagline; hear listen listening: audio listen podcast; heart heartbeat pulse: heart ecg cardiac hrv health
hide hidden: hidden privacy; hole holes leak leaky weak: vulnerability leak security weakness; homework essay: essay writing assignment
hospital: hospital clinical medical; host hosting hosted: hosting server deploy; hotel: hotel booking travel
house home flat apartment: home house real property smart; hurt injury pain: pain injury health; idea ideas brainstorm: brainstorm idea ideation creative
identify: identify detection; identity fingerprint: identity biometric; illegal: legal compliance
improve improvement: improve optimize; increase raise boost: growth increase optimize; industry: industry market
influencer youtuber creator: influencer creator youtube; insight insights: insight analytics; instruction instructions: instruction guide prompt
intern junior trainee: junior mentoring onboarding; inventory stockroom: inventory stock; investigate investigation: investigation forensic
investor investors funding: investor fundraising funding pitch; invite invitation: invitation email event; iphone ipad: ios apple mobile iphone
island beach: travel; job jobs hire hiring: job hiring recruiting resume career; join joins combine merge together: merge join combine integrate
joke funny: humor joke; journey: journey user; judge judged: evaluate judgment review
keyboard mouse: keyboard input shortcut; kitchen oven: cooking kitchen; lab experiment experiments: experiment lab protocol research
landlord tenant rent renting: lease rental property; laptop computer machine pc: machine desktop system host computer; laugh: humor
launch premiere debut: launch release announcement; law legal sue court: legal law compliance litigation; lead leads prospect: lead prospect sales crm
leader leadership: leadership management; learn learning study: learn study tutorial education; leave leaves leaving quit cancel: churn cancellation retention leave
lecture slides: lecture course presentation; legacy ancient: legacy migration modernize; legacy inherited: legacy refactor
lesson lessons learned: retrospective postmortem; letter letters: letter email document correspondence; liar lie lies: fact deception
life: life personal; light lights lamp dim: light lighting smart home; limit exceeded throttle: rate limit quota throttling
limit limits: limit rate quota; link links: link url; literature sources citation cite: citation reference literature bibliography zotero
load overload traffic: load traffic performance stress; loan borrow debt: loan debt credit; lock locked: lock authentication deadlock
log logs: log logging observability; logic: logic reasoning; logo emblem: logo brand icon
look looks appearance: design style visual layout; love dating: relationship dating; loyal loyalty: loyalty retention
lunch breakfast: meal food; mac macbook: macos mac; magazine: article editorial
mail inbox message messages: email message inbox gmail; manual: documentation guide manual; map maps district districts: map geospatial gis location
mask masking anonymise: anonymize redact mask privacy; math maths algebra: math equation; measure measuring: metric measure benchmark
medicine drug drugs pill: drug medication pharmaceutical; meeting meetings call calls: meeting call agenda notes minutes; member members membership: member community membership
memorize remember vocabulary cards: flashcard memory repetition anki; memory ram: memory ram leak; menu: navigation menu
merge pull: merge pull pr git; microsoft: microsoft azure; mind mindset: mental thinking
minutes transcript: minutes meeting transcript; mistake mistakes: mistake error postmortem retrospective; mock fake dummy: mock fixture test
molecule molecules chemistry chemical: molecule chemical compound chemistry; monday friday week: weekly schedule plan; money cash: money payment revenue budget finance price
monkey: chaos test; month monthly quarter quarterly: monthly report quarterly; mortgage: mortgage loan
mountain hiking hike outdoor: hiking outdoor trail; move migrate switch: migrate migration move convert; mute: audio
neighbour neighbourhood: location neighborhood; nervous anxious: anxiety; network wire cable: network connection ethernet
newcomer newcomers joins new: onboarding new welcome; newsletter: newsletter email; night nightly daily weekly morning: schedule daily cron recurring
note notes: notes note obsidian; notify alert alarm warn warning: notification alert monitor; number numbers figures: metric statistics data numeric analytics
nurse clinic: clinical nursing; object objects: object detection; observe: observability monitor
ocean sea: ocean marine; oil gas fuel: energy fuel; online web: web search online internet
opinion opinions: opinion review perspective; opposite invert: inversion; orbit satellite: satellite space orbit
outage outages: incident outage postmortem; page pages: page website web landing; page-turner: novel
parallel once: parallel concurrent; parcel package shipment: shipping package tracking delivery; parent: parenting
parse parser: parse parser extract; parts: component; party event wedding: event party planning
password login signin sign logged: authentication login password oauth credential session; patch patches: patch update vulnerability; pay paid paying payment: payment billing checkout paid
pay-per-click ppc: ppc ads; pdf: pdf document; perfume beauty makeup skin: beauty skincare
permanent: persistent; person persona: persona user; pet dog cat: pet dog cat animal
petition: advocacy; phone mobile smartphone: mobile ios android phone app; picture image photo photograph: image photo picture visual illustration graphic
piece pieces: component; pipeline: pipeline workflow ci; pitch convince persuade: pitch persuasion proposal sales
pixel: image pixel; place places nearby near: location map places; plan plans planning: plan planning roadmap strategy
plant animal animals species: species phylogenetic biology ecology; playlist: playlist spotify music; plumber electrician contractor: contractor home service
podcast: podcast audio; podium speaker: speech presentation; poem rhyme lyrics: poem lyrics poetry song
police crime criminal: forensic crime investigation; polish improve better: improve edit refine optimize; politics politician: political policy
population demographic: population demographics; popup overlay banner: modal dialog popup overlay; positive negative: sentiment
post posts: post blog social content; poster flyer leaflet: poster flyer design banner; practice practise drill: practice exercise training
predict guess: prediction predict model forecast; predict prediction: forecast prediction; pregnant pregnancy: pregnancy health
prepare preparation: prepare planning; presentation talk speech stand: presentation slides talk speech; press newspaper journalist: press media pr news
pressure: stress; pretend roleplay: roleplay simulation; pretty beautiful ugly nicer plain: design style aesthetic visual ui
price prices cheap expensive charge: pricing price cost; printer print: print pdf printer; priority prioritise important urgent: prioritize priority triage
privacy gdpr: privacy gdpr compliance; procrastinate lazy: productivity procrastination; promise promises: promise async
promote: promotion marketing; prompt prompts instructions: prompt instructions system; proof theorem mathematics: proof theorem mathematics formal
proofread: proofread edit grammar; protect protection: security protection privacy; protein proteins: protein structure
protest: advocacy; prove proof: verify proof evidence; publish published: publish release post
punctuation: grammar; puzzle riddle: puzzle game; qualify qualified: qualification lead
quantum: quantum circuit; query queries: query sql; queue: queue message
radio: radio audio; rank ranking: ranking seo; raspberry: raspberry pi
raw: raw data; read reading: read extract parse; reason cause why: cause root reason diagnosis
rebuild: rebuild build; recognise recognize detect spot: detection recognition classification vision; record recording recorded: audio recording transcript capture
recover: recovery restore; relative: family; religion god bible: bible religious
remark: comment; remind reminder forget: reminder schedule notification; rename: rename refactor
repeat again repeatedly every: schedule recurring cron loop; replace: replace migrate; repo repository repositories: repository repo git monorepo
reproduce replicate: reproduce reproducibility; request requests: request http api; requirement requirements wish: requirements specification prd
rescue: rescue recovery; resign fired: hr career; restaurant: restaurant food
retire retirement pension: retirement finance; reuse reusable: reusable component library; reviewer review remarks comments: review comment feedback pr
reward: reward incentive loyalty; rewrite restructure: refactor rewrite; rich wealthy: wealth finance
risk risks flop flopped: risk failure premortem assessment; rival rivals competitor: competitor competitive competition; river: water
robot robots bot bots: bot agent automation; role roles: role permission; rollback undo: rollback undo revert compensate
route: routing; row rows column columns: table column schema data row; royal: history
rubbish garbage dirty messy rotten: quality clean validation cleanup; rule rules: policy rule compliance guideline; safe secure safely: security secure safe
salary wage: salary compensation payroll; satellite: satellite remote sensing; save saving savings: save savings budget
scan scanned scans: ocr scan document; science scientist: scientific research; scrape grab fetch: scrape scraping crawl extract
screen screens: interface ui screen display page; script macro: script automation cli code; sculpture: art
search-engine rank: seo; secret secrets key keys: secret credential key token vault; self: personal
sell selling sells sale sales: sales sell market; sensor sensors: sensor iot; sentiment opinions: sentiment analysis
series: series time; server servers box: server host infrastructure backend; service services: service microservice
setting settings options hard-coded: configuration config settings environment; setup install ready: setup install configure installation; share shared: share collaboration state
sheet spreadsheet excel: spreadsheet excel xlsx sheet csv; shell: shell bash; ship shipping deliver: release deploy ship
shoe shoes: fashion; shop store goods: shop ecommerce store product shopify retail; signal signals: signal processing
signup register: signup registration onboarding; silent quiet: silent noise; simple simpler simplify complicated complex: simplify refactor complexity
site homepage: website site web page; sketchy suspicious: suspicious malicious threat; sleep tired: sleep health wellness
slide slides deck: presentation slides deck pptx powerpoint; slow slowly slower forever sluggish hours: performance slow latency optimize profiling; smaller shrink lighter heavy: compress resize reduce optimize size
social: social media; solve solution puzzle: problem solve solution; song tune melody: music song track lyrics audio
sort order tidy: sort organize order; sound noise: audio sound; spelling grammar typo: proofread grammar spelling edit
split apart: split separate partition; spot: detection; spy tracked snoop privacy: privacy tracking anonymous
stage staging: staging environment; stamp: timestamp; standard standards: standard convention compliance
star stars planet space: astronomy space star; start begin starting: start setup init quickstart; startup founder: startup founder business
stash: git stash; statistics significant: statistics statistical significance; stay: retention
stock stocks shares: stock equity market trading portfolio inventory; story stories novel: story fiction narrative writing; stranger strangers outsider intruder: unauthorized attacker access public
street: map; structure organised organise: structure architecture organize; stuck hang hangs freezes frozen: hang deadlock debug stuck timeout
style css: css style tailwind; subtitle caption captions: subtitle caption transcript; sugar: nutrition
summary summarize gist short boil: summarize summary digest; summer winter: seasonal; sun solar: solar energy
supplier suppliers vendor: vendor supplier procurement; support help-desk: support helpdesk ticket; survey poll: survey questionnaire form
survive: resilience; swim: fitness; symptom symptoms: symptom diagnosis
sync synchronise synchronize: sync synchronization replication; synonym: wording; table tables: table database spreadsheet schema
tablet: tablet mobile; tax taxes: tax accounting; taxi ride uber: ride transport
teach teaching: train teach tutorial; teacher lesson pupil school class: teaching lesson education course curriculum; teacher: teaching
team colleagues coworkers: team collaboration colleague; teenager: kids; template templates: template boilerplate scaffold
test tests tested: test testing suite; thank thanks: gratitude; theme dark: theme dark design
thief steal stolen hacker hackers hacked: attack breach compromise security incident attacker; think thinking: thinking reasoning brainstorm mental; thought thoughts: thinking note
thousand million times: scale scalability; ticket tickets issue: issue ticket jira bug; todo chores task tasks: task todo project
tokenise: token; tokens token: token llm; tooth teeth dentist: dental
tour tourist: travel; toy kids children child: kids children family; trace tracing: tracing observability trace
trade trades trading: trading trade market; tradition: culture; train training trained: training fine-tuning model
train trains bus: transit train transport schedule; translate translation language languages: translation localization language i18n; travel trip holiday flight fly: travel flight trip hotel
treasure: treasury; treat treatment: treatment therapy clinical; trial subscribe subscription: subscription trial plan billing
trick tricks tip tips: tips best practice; trouble problem problems: troubleshoot debug issue problem; trust trustworthy: trust review verify
try tried trying: test experiment verify; tune tuning: tuning optimize; tv television series: tv streaming media
tweet twitter: twitter tweet x; type types typed: type typescript; typeset: latex typesetting
typo typos: typo proofread; underline: style; undo: rollback revert
unfinished next: continue next plan; university college: university academic education; unsafe: unsafe security
upgrade update outdated old behind version versions: upgrade migration update version dependency; upload: upload file; urgent: urgent triage priority
user users people folks: user customer audience; van vans truck delivery deliver: delivery routing logistics shipping fleet; variable variables: variable environment
vegetable vegan: nutrition recipe; verify: verification; version tag: release version
violin piano guitar: music instrument; virus malware evil malicious: malware malicious threat payload; visitor visitors: visitor traffic user audience conversion
voice speak spoken said saying: speech voice audio transcription; volunteer: volunteer nonprofit; vote election: election vote prediction political
walk walking: walking fitness; war military: military defense; warehouse: warehouse snowflake dbt data
warm heating heat temperature cold: temperature thermostat thermal heating; wash washing laundry: laundry cleaning; waste wasting: waste optimize cost
watch eye: monitor watch track; watch-list: watchlist; way route drive driving: route navigation directions
weather rain: weather forecast; webinar: webinar event; weight fat diet eat: diet nutrition meal calories weight
welcome: onboarding welcome; wheel: vehicle; wife husband: relationship family
wifi wireless internet: network wifi connectivity; wind: wind energy; winner winning: winner ab experiment
wizard admin: admin setup wizard; woman women: gender; word words: word text
wording words sentence sentences: wording copy text phrasing prose; work: work task; worker workers employee employees staff: employee hr workforce staff
worry worried: risk anxiety; write writing text: write writing draft content copy; wrong weird strange odd: bug incorrect unexpected error anomaly debug
yoga: yoga fitness; young: youth; zip unzip: zip archive compress
`;
