"""What the rules draw from plain sentences, and what they leave alone, in English and Portuguese."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest

from tests.conftest import OpenMemory
from toldonce.distil.drafts import ConversationMessage, FactDraft, SubjectWords
from toldonce.distil.extract import extract_facts

AT = datetime(2024, 5, 3, 10, tzinfo=UTC)

# sentence, attribute, value, what is written about Alex
ENGLISH = [
    ("My name is Alex Moreira.", "name", "Alex Moreira", "Alex's name is Alex Moreira"),
    ("Hi, I'm Alex.", "name", "Alex", "Alex is Alex"),
    ("I'm 34 years old.", "age", "34", "Alex is 34 years old"),
    ("I turned 40 yesterday.", "age", "40", "Alex turned 40 on 2 May 2024"),
    ("My birthday is on May 3rd.", "birthday", "May 3rd", "Alex's birthday is on May 3rd"),
    ("I live in Lisbon.", "residence", "Lisbon", "Alex lives in Lisbon"),
    (
        "I live in a small flat in Porto with my wife.",
        "residence",
        "a small flat in Porto",
        "Alex lives in a small flat in Porto with their wife",
    ),
    ("i live in lisbon", "residence", "lisbon", "Alex lives in lisbon"),
    (
        "I moved to Porto last week, can you suggest a gym?",
        "residence",
        "Porto",
        "Alex moved to Porto in the week of 22 April 2024",
    ),
    (
        "I moved to Porto last Christmas.",
        "residence",
        "Porto",
        "Alex moved to Porto at Christmas 2023",
    ),
    (
        "I moved to Porto the day before yesterday.",
        "residence",
        "Porto",
        "Alex moved to Porto on 1 May 2024",
    ),
    ("I moved to Porto in the summer.", "residence", "Porto", "Alex moved to Porto in the summer"),
    ("I'm flying to Rio this Christmas.", None, None, "Alex is flying to Rio at Christmas 2024"),
    ("I'm renting a house in Whitby.", "residence", "a house in Whitby", "Alex is renting a house in Whitby"),
    (
        "We rent a small flat in Porto with my sister.",
        "residence",
        "a small flat in Porto",
        "Alex rents a small flat in Porto with their sister",
    ),
    ("We just moved to Berlin.", "residence", "Berlin", "Alex moved to Berlin"),
    ("My wife and I moved to Berlin in 2019.", "residence", "Berlin", "Alex moved to Berlin in 2019"),
    ("I'm based in Austin.", "residence", "Austin", "Alex is based in Austin"),
    (
        "I've been living in Madrid for three years.",
        "residence",
        "Madrid",
        "Alex has been living in Madrid for three years",
    ),
    ("I no longer live in Lisbon.", "residence", "not: Lisbon", "Alex no longer lives in Lisbon"),
    ("I don't live in Paris anymore.", "residence", "not: Paris", "Alex no longer lives in Paris"),
    ("I used to live in Paris.", "residence", "not: Paris", "Alex used to live in Paris"),
    ("I'm from a small town in Ohio.", "origin", "a small town in Ohio", "Alex is from a small town in Ohio"),
    ("I grew up in Recife.", "origin", "Recife", "Alex grew up in Recife"),
    ("I was born in Salvador.", "origin", "Salvador", "Alex was born in Salvador"),
    ("I'm Brazilian.", "origin", "Brazilian", "Alex is Brazilian"),
    ("I work at Acme as a data engineer.", "employment", "Acme", "Alex works at Acme"),
    ("I work at Acme as a data engineer.", "occupation", "data engineer", "Alex works as a data engineer"),
    ("I work as a nurse.", "occupation", "nurse", "Alex works as a nurse"),
    ("I work in marketing.", "occupation", "marketing", "Alex works in marketing"),
    ("I work from home.", "work_mode", "from home", "Alex works from home"),
    ("I'm a software engineer at Google.", "occupation", "software engineer", "Alex works as a software engineer"),
    ("I'm a software engineer at Google.", "employment", "Google", "Alex works at Google"),
    (
        "I started a new job at Stripe yesterday.",
        "employment",
        "Stripe",
        "Alex started a new job at Stripe on 2 May 2024",
    ),
    ("I just got a job at Nimbus as a designer.", "employment", "Nimbus", "Alex got a job at Nimbus as a designer"),
    ("I quit the bakery!", "employment", "not: the bakery", "Alex quit the bakery"),
    ("I've finally quit the law firm.", "employment", "not: the law firm", "Alex has finally quit the law firm"),
    ("I quit the gym.", None, None, "Alex quit the gym"),
    (
        "Since Tuesday I've been working at a school.",
        "employment",
        "a school",
        "Alex has been working at a school since 30 April 2024",
    ),
    ("I quit my job at Acme.", "employment", "not: Acme", "Alex quit their job at Acme"),
    ("I got laid off last month.", "employment", "not: employed", "Alex got laid off in April 2024"),
    ("I retired in 2020.", "employment", "retired", "Alex retired in 2020"),
    ("I'm unemployed.", "employment", "unemployed", "Alex is unemployed"),
    ("I don't work at Google anymore.", "employment", "not: Google", "Alex no longer works at Google"),
    ("I got married to Tom in June.", "marital_status", "married", "Alex got married to Tom in June"),
    ("I'm divorced.", "marital_status", "divorced", "Alex is divorced"),
    ("We got engaged last weekend!", "marital_status", "engaged", "Alex got engaged on the weekend of 27 April 2024"),
    ("I'm single.", "marital_status", "single", "Alex is single"),
    ("I have two kids.", "family", "two kids", "Alex has two kids"),
    ("I have a dog named Luna.", "pet", "dog Luna", "Luna is Alex's dog"),
    ("My cat is called Miso.", "pet", "cat Miso", "Miso is Alex's cat"),
    ("I study biology at Stanford.", "education", "biology", "Alex studies biology at Stanford"),
    ("I graduated from MIT in 2010.", "education", "MIT", "Alex graduated from MIT in 2010"),
    ("I have a PhD in physics.", "education", "PhD in physics", "Alex has a PhD in physics"),
    ("I speak French and Portuguese.", "language", "French and Portuguese", "Alex speaks French and Portuguese"),
    ("I'm learning Japanese.", "language", "Japanese", "Alex is learning Japanese"),
    ("I'm vegetarian.", "diet", "vegetarian", "Alex is vegetarian"),
    ("I'm allergic to peanuts.", "allergy", "peanuts", "Alex is allergic to peanuts"),
    ("I have a shellfish allergy.", "allergy", "shellfish allergy", "Alex has a shellfish allergy"),
    ("I don't eat meat.", "avoids", "meat", "Alex does not eat meat"),
    ("I never eat fish.", "avoids", "fish", "Alex never eats fish"),
    ("I have asthma.", "health", "asthma", "Alex has asthma"),
    ("I was diagnosed with diabetes.", "health", "diabetes", "Alex was diagnosed with diabetes"),
    ("I weigh 72 kg.", "weight", "72 kg", "Alex weighs 72 kg"),
    ("I'm 1.80 m tall.", "height", "1.80 m", "Alex is 1.80 m tall"),
    ("My goal is to run a marathon.", "goal", "run a marathon", "Alex's goal is to run a marathon"),
    ("I want to learn Japanese.", "goal", "learn Japanese", "Alex wants to learn Japanese"),
    ("I'm hoping to open my own bakery.", "goal", "open my own bakery", "Alex is hoping to open their own bakery"),
    ("I finished the marathon!", "goal", "met: the marathon", "Alex finished the marathon"),
    ("I finally reached my savings goal.", "goal", "met: savings goal", "Alex finally reached their savings goal"),
    ("I love hiking and jazz.", "likes", "hiking and jazz", "Alex loves hiking and jazz"),
    ("I hate loud music.", "dislikes", "loud music", "Alex hates loud music"),
    ("I can't stand cilantro.", "dislikes", "cilantro", "Alex cannot stand cilantro"),
    ("I'm a big fan of classical music.", "likes", "classical music", "Alex is a big fan of classical music"),
    ("I prefer tea over coffee.", "preference", "tea over coffee", "Alex prefers tea over coffee"),
    ("I'd rather read on paper.", "preference", "read on paper", "Alex would rather read on paper"),
    ("My favorite color is blue.", "favourite color", "blue", "Alex's favorite color is blue"),
    ("I go running every morning.", "habit", "running every morning", "Alex goes running every morning"),
    ("I usually wake up at six.", "habit", "wake up at six", "Alex usually wakes up at six"),
    ("I play the violin.", "hobby", "violin", "Alex plays the violin"),
    ("I have a motorcycle.", "possession", "motorcycle", "Alex has a motorcycle"),
    ("I bought a new car yesterday.", None, None, "Alex bought a new car on 2 May 2024"),
    ("I adopted a puppy last week.", None, None, "Alex adopted a puppy in the week of 22 April 2024"),
    ("I have a dentist appointment tomorrow at 10.", None, None, "Alex has a dentist appointment on 4 May 2024 at 10"),
    ("I'm flying to Tokyo next month.", None, None, "Alex is flying to Tokyo in June 2024"),
    ("My email is alex@example.com.", "email", "alex@example.com", "Alex's email is alex@example.com"),
    ("My phone number is +351 912 345 678.", "phone", "+351 912 345 678", "Alex's phone number is +351 912 345 678"),
    (
        "Lost my job at the bank yesterday.",
        "employment",
        "not: the bank",
        "Alex lost their job at the bank on 2 May 2024",
    ),
    ("Since I'm lactose intolerant, I skip ice cream.", "diet", "lactose intolerant", "Alex is lactose intolerant"),
    ("I joined Acme as a designer in February.", "employment", "Acme", "Alex works at Acme"),
    ("I joined Acme as a designer in February.", "occupation", "designer", "Alex works as a designer"),
    ("I read Dune last week.", None, None, "Alex read Dune in the week of 22 April 2024"),
    ("I read every night.", "habit", "read every night", "Alex reads every night"),
    ("I live in Lisbon but I'm from Brazil.", "residence", "Lisbon", "Alex lives in Lisbon"),
    ("I live in Lisbon but I'm from Brazil.", "origin", "Brazil", "Alex is from Brazil"),
]

PORTUGUESE = [
    ("Meu nome é Alex Souza.", "name", "Alex Souza", "O nome de Alex é Alex Souza"),
    ("Me chamo Alex.", "name", "Alex", "Alex se chama Alex"),
    ("Tenho 34 anos.", "age", "34", "Alex tem 34 anos"),
    ("Fiz 30 anos ontem.", "age", "30", "Alex fez 30 anos em 2 de maio de 2024"),
    ("Meu aniversário é dia 3 de maio.", "birthday", "dia 3 de maio", "O aniversário de Alex é dia 3 de maio"),
    ("Estou me mudando para Lisboa.", None, None, "Alex está se mudando para Lisboa"),
    ("Entrei na Acme em fevereiro como designer.", "employment", "Acme", "Alex trabalha na Acme"),
    ("Entrei na Acme em fevereiro como designer.", "occupation", "designer", "Alex trabalha como designer"),
    ("Moro em Lisboa há 5 anos.", "residence", "Lisboa", "Alex mora em Lisboa há 5 anos"),
    ("Moro em Braga com a minha namorada.", "residence", "Braga", "Alex mora em Braga com a sua namorada"),
    ("moro em recife", "residence", "recife", "Alex mora em recife"),
    (
        "Me mudei para o Porto na semana passada.",
        "residence",
        "Porto",
        "Alex se mudou para o Porto na semana de 22 de abril de 2024",
    ),
    (
        "Me mudei para o Porto há duas semanas.",
        "residence",
        "Porto",
        "Alex se mudou para o Porto por volta de 19 de abril de 2024",
    ),
    ("Me mudei para o Porto no Natal passado.", "residence", "Porto", "Alex se mudou para o Porto no Natal de 2023"),
    ("Comprei um carro há três dias.", None, None, "Alex comprou um carro em 30 de abril de 2024"),
    (
        "Desde segunda-feira trabalho numa escola.",
        "employment",
        "escola",
        "Alex trabalha numa escola desde 29 de abril de 2024",
    ),
    ("Desde 2019 moro em Braga.", "residence", "Braga", "Alex mora em Braga desde 2019"),
    ("Larguei a padaria!", "employment", "not: padaria", "Alex largou a padaria"),
    ("Larguei o café.", None, None, "Alex largou o café"),
    ("Mudei-me para Coimbra em março.", "residence", "Coimbra", "Alex se mudou para Coimbra em março de 2024"),
    ("A gente se mudou para Curitiba.", "residence", "Curitiba", "Alex se mudou para Curitiba"),
    (
        "Minha esposa e eu nos mudamos para Florianópolis.",
        "residence",
        "Florianópolis",
        "Alex se mudou para Florianópolis",
    ),
    (
        "Estou morando em Braga, você pode me sugerir um restaurante?",
        "residence",
        "Braga",
        "Alex está morando em Braga",
    ),
    ("Estou a viver no Porto.", "residence", "Porto", "Alex está a viver no Porto"),
    ("Não moro mais em Lisboa.", "residence", "not: Lisboa", "Alex não mora mais em Lisboa"),
    ("Já não vivo em Madrid.", "residence", "not: Madrid", "Alex não vive mais em Madrid"),
    ("Eu morava em Lisboa.", "residence", "not: Lisboa", "Alex morava em Lisboa"),
    ("Sou de Recife.", "origin", "Recife", "Alex é de Recife"),
    ("Nasci em Salvador.", "origin", "Salvador", "Alex nasceu em Salvador"),
    ("Cresci no interior de Minas.", "origin", "interior de Minas", "Alex cresceu no interior de Minas"),
    ("Sou brasileira.", "origin", "brasileira", "Alex é brasileira"),
    (
        "Trabalho na Google como engenheira de software.",
        "employment",
        "Google",
        "Alex trabalha na Google",
    ),
    (
        "Trabalho na Google como engenheira de software.",
        "occupation",
        "engenheira de software",
        "Alex trabalha como engenheira de software",
    ),
    ("Trabalho como enfermeiro.", "occupation", "enfermeiro", "Alex trabalha como enfermeiro"),
    ("Trabalho com marketing digital.", "occupation", "marketing digital", "Alex trabalha com marketing digital"),
    ("Trabalho de casa.", "work_mode", "de casa", "Alex trabalha de casa"),
    ("Sou professora numa escola pública.", "occupation", "professora", "Alex é professora numa escola pública"),
    ("Sou médica no Hospital das Clínicas.", "occupation", "médica", "Alex trabalha como médica"),
    (
        "Sou médica no Hospital das Clínicas.",
        "employment",
        "Hospital das Clínicas",
        "Alex trabalha no Hospital das Clínicas",
    ),
    ("Comecei na Embraer ontem.", "employment", "Embraer", "Alex começou na Embraer em 2 de maio de 2024"),
    ("Consegui um emprego na Petrobras.", "employment", "Petrobras", "Alex conseguiu um emprego na Petrobras"),
    ("Saí do meu emprego na Vale.", "employment", "not: Vale", "Alex saiu do seu emprego na Vale"),
    (
        "Fui demitida na semana passada.",
        "employment",
        "not: employed",
        "Alex foi demitida na semana de 22 de abril de 2024",
    ),
    ("Já não trabalho na Google.", "employment", "not: Google", "Alex não trabalha mais na Google"),
    ("Me aposentei no ano passado.", "employment", "retired", "Alex se aposentou em 2023"),
    ("Estou desempregado desde março.", "employment", "unemployed", "Alex está desempregado desde março de 2024"),
    ("Me casei com o João em 2020.", "marital_status", "married", "Alex se casou com o João em 2020"),
    ("Sou casado há dez anos.", "marital_status", "married", "Alex é casado há dez anos"),
    ("Me divorciei em 2022.", "marital_status", "divorced", "Alex se divorciou em 2022"),
    ("Estou noiva!", "marital_status", "engaged", "Alex está noiva"),
    ("Tenho dois filhos.", "family", "dois filhos", "Alex tem dois filhos"),
    ("Minha mãe se chama Rosa.", "family", "mãe Rosa", "Rosa é mãe de Alex"),
    ("Meu cachorro Bento é muito fofo.", "pet", "cachorro Bento", "Bento é cachorro de Alex"),
    ("Tenho um gato chamado Mingau.", "pet", "gato Mingau", "Mingau é gato de Alex"),
    ("Estudo medicina na USP.", "education", "medicina", "Alex estuda medicina na USP"),
    ("Me formei em direito.", "education", "direito", "Alex se formou em direito"),
    ("Faço faculdade de arquitetura.", "education", "arquitetura", "Alex faz faculdade de arquitetura"),
    ("Falo inglês e francês.", "language", "inglês e francês", "Alex fala inglês e francês"),
    ("Estou aprendendo alemão.", "language", "alemão", "Alex está aprendendo alemão"),
    ("Sou vegetariana.", "diet", "vegetariana", "Alex é vegetariana"),
    ("Sou alérgico a amendoim.", "allergy", "amendoim", "Alex é alérgico a amendoim"),
    ("Tenho alergia a camarão.", "allergy", "camarão", "Alex tem alergia a camarão"),
    ("Não como carne.", "avoids", "carne", "Alex não come carne"),
    ("Nunca como peixe.", "avoids", "peixe", "Alex nunca come peixe"),
    ("Sou intolerante à lactose.", "diet", "intolerante à lactose", "Alex é intolerante à lactose"),
    ("Tenho diabetes.", "health", "diabetes", "Alex tem diabetes"),
    ("Fui diagnosticada com asma.", "health", "asma", "Alex foi diagnosticada com asma"),
    ("Peso 72 kg.", "weight", "72 kg", "Alex pesa 72 kg"),
    ("Tenho 1,80 m de altura.", "height", "1,80 m", "Alex tem 1,80 m de altura"),
    ("Minha meta é correr uma maratona.", "goal", "correr uma maratona", "A meta de Alex é correr uma maratona"),
    ("Quero aprender japonês.", "goal", "aprender japonês", "Alex quer aprender japonês"),
    (
        "Pretendo comprar uma casa no ano que vem.",
        "goal",
        "comprar uma casa no ano que vem",
        "Alex pretende comprar uma casa em 2025",
    ),
    ("Terminei a maratona!", "goal", "met: a maratona", "Alex terminou a maratona"),
    ("Alcancei minha meta de peso!", "goal", "met: meta de peso", "Alex alcançou sua meta de peso"),
    ("Gosto de jazz e bossa nova.", "likes", "jazz e bossa nova", "Alex gosta de jazz e bossa nova"),
    ("Adoro cozinhar para meus amigos.", "likes", "cozinhar para meus amigos", "Alex adora cozinhar para seus amigos"),
    ("Odeio acordar cedo.", "dislikes", "acordar cedo", "Alex odeia acordar cedo"),
    ("Não gosto de correr.", "dislikes", "correr", "Alex não gosta de correr"),
    ("Prefiro café a chá.", "preference", "café a chá", "Alex prefere café a chá"),
    ("Prefiro respostas curtas.", "preference", "respostas curtas", "Alex prefere respostas curtas"),
    ("Minha cor favorita é azul.", "favourite cor", "azul", "A cor favorita de Alex é azul"),
    ("Torço para o Flamengo.", "likes", "Flamengo", "Alex torce para o Flamengo"),
    ("Corro toda manhã no parque.", "habit", "corro toda manhã no parque", "Alex corre toda manhã no parque"),
    ("Costumo correr de manhã.", "habit", "correr de manhã", "Alex costuma correr de manhã"),
    ("Toco violão.", "hobby", "violão", "Alex toca violão"),
    ("Parei de fumar.", "habit", "not: fumar", "Alex parou de fumar"),
    ("Tenho um carro elétrico.", "possession", "carro elétrico", "Alex tem um carro elétrico"),
    ("Ontem comprei um violão novo.", None, None, "Alex comprou um violão novo em 2 de maio de 2024"),
    ("Fui ao médico na terça passada.", None, None, "Alex foi ao médico em 30 de abril de 2024"),
    ("Vou viajar para o Japão no mês que vem.", None, None, "Alex vai viajar para o Japão em junho de 2024"),
    ("Tenho uma consulta amanhã às 10h.", None, None, "Alex tem uma consulta em 4 de maio de 2024 às 10h"),
    ("Meu email é alex@exemplo.com.", "email", "alex@exemplo.com", "O email de Alex é alex@exemplo.com"),
    ("Sou brasileira, mas moro em Lisboa.", "origin", "brasileira", "Alex é brasileira"),
    ("Sou brasileira, mas moro em Lisboa.", "residence", "Lisboa", "Alex mora em Lisboa"),
]

# Questions, suppositions, wishes, hearsay, quotations, pasted text, jokes, pointing, denials, small talk.
NOTHING = [
    "I read a lot in the summer.",
    "Moramos em Roma em 2019.",
    "Do I live in Lisbon?",
    "Where do I live?",
    "I live in Lisbon?",
    "Should I move to Berlin?",
    "If I moved to Lisbon, I would buy a boat.",
    "If I live in Lisbon next year, I'll learn Portuguese.",
    "I'm renting a house in Whitby for the weekend.",
    "I'm renting a house in Whitby next summer.",
    "I'm renting out a house in Whitby.",
    "I rent a house in Whitby every summer.",
    "Desde que me mudei trabalho numa escola.",
    "I'll quit my job if I get the offer.",
    "Suppose I work at Google.",
    "Imagine I'm married.",
    "I wish I lived in Rome.",
    "I might move to Rome.",
    "I could work at Google one day.",
    "I would live in Paris.",
    "Maybe I love her.",
    "She said I live in Lisbon.",
    "My boss thinks I'm lazy.",
    'He told me "I live in Paris".',
    "The sign says: I love New York.",
    "Translate to French: I live in London and I have two dogs.",
    "Rewrite this: I am a doctor and I work at a hospital.",
    "> I live in Paris",
    "```\nI live in Rome\n```",
    "Yeah right, I love Mondays.",
    "I love waiting in line /s",
    "I'm a millionaire, just kidding.",
    "I love it!",
    "I like that idea.",
    "I love your style.",
    "I enjoy these.",
    "I hate when you do that.",
    "I want to know more.",
    "I want to make sure this works.",
    "I'd like to ask something.",
    "I don't live in Lisbon.",
    "I'm not married.",
    "I didn't buy the car.",
    "I have a question.",
    "I have an idea.",
    "I'm fine, thanks.",
    "I'm sorry.",
    "I'm doing great lately.",
    "I live in fear.",
    "You live in Lisbon.",
    "They work at Google.",
    "The job I started is hard.",
    "What I love is hard to say.",
    "I think so.",
    "I got it.",
    "I had a lot of fun.",
    "I made a mistake.",
    "Never give up!",
    "Never mind.",
    "Thanks, I will keep that in mind.",
    "How can I keep my code simple?",
    "Can you call me later?",
    "Você mora em Lisboa?",
    "Onde eu moro?",
    "Será que eu moro longe?",
    "Moro longe?",
    "Se eu morasse em Lisboa, compraria um barco.",
    "Se eu me mudar para Lisboa, vou vender o carro.",
    "Talvez eu me mude para o Rio.",
    "Quem me dera morar em Paris.",
    "Ele disse que mora em Lisboa.",
    "Minha amiga disse: moro em Paris.",
    "Traduza para o inglês: moro em Londres e tenho dois cães.",
    "Trabalho em equipe é importante.",
    "Meu trabalho é estressante.",
    "Como faço para mudar a senha?",
    "Eu amo isso!",
    "Gosto dessa ideia.",
    "Odeio quando você faz isso.",
    "Quero saber como funciona.",
    "Gostaria de saber o preço.",
    "Não moro em Lisboa.",
    "Não comprei o carro.",
    "Sou casado, só que não.",
    "Nunca pensei nisso.",
    "Nunca mais vou lá.",
    "Ela morava aqui.",
    "Tenho uma pergunta.",
    "Estou bem, obrigado.",
    "Sinto muito.",
    "Ele trabalha na Google.",
    "Como posso melhorar meu código?",
]

INSTRUCTIONS = [
    ("Always answer in French.", "Alex wants answers in French"),
    ("From now on, reply in German.", "Alex wants answers in German"),
    ("Never use emojis.", "Alex wants the assistant never to use emojis"),
    ("Please don't use emojis.", "Alex wants the assistant not to use emojis"),
    ("Call me Al.", "Alex wants to be called Al"),
    ("please keep it short in future", "Alex wants the assistant to keep it short in future"),
    ("Keep your answers short.", "Alex wants the assistant to keep its answers short"),
    ("I want you to always be brief.", "Alex wants the assistant to always be brief"),
    ("Going forward, cite your sources.", "Alex wants the assistant to cite its sources"),
    (
        "Whenever I ask about recipes, include calories.",
        "Alex wants the assistant to include calories whenever they ask about recipes",
    ),
    (
        "Always include the price when I ask about hotels.",
        "Alex wants the assistant to always include the price when they ask about hotels",
    ),
    ("No emojis please.", "Alex wants no emojis"),
    ("Stop apologizing all the time.", "Alex wants the assistant to stop apologizing all the time"),
    ("Sempre responda em português.", "Alex quer respostas em português"),
    ("A partir de agora, responda em inglês.", "Alex quer respostas em inglês"),
    ("Nunca use emojis.", "Alex quer que o assistente nunca use emojis"),
    ("Por favor, não use gírias nas respostas.", "Alex quer que o assistente não use gírias nas respostas"),
    ("Me chame de Lê.", "Alex pede para usar o nome Lê"),
    ("Pode me chamar de Alê.", "Alex pede para usar o nome Alê"),
    ("De agora em diante seja mais breve.", "Alex quer que o assistente seja mais breve"),
    ("Quero que você seja mais direto.", "Alex quer que o assistente seja mais direto"),
    (
        "Sempre que eu perguntar sobre receitas, inclua as calorias.",
        "Alex quer que o assistente inclua as calorias sempre que perguntar sobre receitas",
    ),
]
NO_INSTRUCTIONS = [
    "Never give up!",
    "Never mind.",
    "Always a pleasure.",
    "I always answer in French.",
    "From now on I will run every day.",
    "Can you always answer in French?",
    "They never use emojis.",
    "Write a poem about the sea.",
    "Nunca pensei nisso.",
    "Nunca mais vou lá.",
    "Sempre quis morar na praia.",
    "Você sempre responde em português?",
    "Eu sempre uso emojis.",
    "Escreva um poema sobre o mar.",
]
PREFERENCES = [
    ("I prefer tea over coffee.", "Alex prefers tea over coffee"),
    ("I'd rather work in the evening, can you plan my day?", "Alex would rather work in the evening"),
    ("I don't eat meat.", "Alex does not eat meat"),
    ("My favourite colour is blue.", "Alex's favourite colour is blue"),
    ("I strongly prefer paper books to electronic ones.", "Alex strongly prefers paper books to electronic ones"),
    ("I much prefer working from home.", "Alex much prefers working from home"),
    ("I prefer working alone.", "Alex prefers working alone"),
    ("I prefer not to use social media.", "Alex prefers not to use social media"),
    ("When I travel, I prefer small hotels.", "Alex prefers small hotels when they travel"),
    ("Whenever I'm stressed, I avoid coffee.", "Alex avoids coffee whenever they're stressed"),
    ("When it comes to films, I prefer comedies.", "Alex prefers comedies when it comes to films"),
    ("I'm more comfortable with Python than with Java.", "Alex is more comfortable with Python than with Java"),
    ("I've got a soft spot for old cars.", "Alex has a soft spot for old cars"),
    ("I have a strong preference for dark mode.", "Alex has a strong preference for dark mode"),
    ("I'm partial to Italian food.", "Alex is partial to Italian food"),
    ("I find written guides easier to follow than videos.", "Alex finds written guides easier to follow than videos"),
    ("I'd like to stick with open-source tools.", "Alex would like to stick with open-source tools"),
    ("I'm trying to avoid sugar these days.", "Alex is trying to avoid sugar"),
    ("I generally steer clear of fried food.", "Alex steers clear of fried food"),
    ("I opt for public transport whenever I can.", "Alex opts for public transport"),
    ("Quando viajo, prefiro hotéis pequenos.", "Alex prefere hotéis pequenos quando viaja"),
    ("Quando estou em casa, gosto de chá.", "Alex gosta de chá quando está em casa"),
    ("Eu tendo a evitar frituras.", "Alex tende a evitar frituras"),
    ("Tenho uma queda por carros antigos.", "Alex tem uma queda por carros antigos"),
    ("I prefer recipes that are quick, can you help me find some?", "Alex prefers recipes that are quick"),
    ("I like people that listen.", "Alex likes people that listen"),
    ("I prefer meals that I can freeze.", "Alex prefers meals that they can freeze"),
    ("I love to read.", "Alex loves to read"),
    (
        "I prefer using light, plain tools over heavy ones, so can you help?",
        "Alex prefers using light, plain tools over heavy ones",
    ),
    ("I prioritize clear, measurable goals.", "Alex prioritizes clear, measurable goals"),
    ("I love running, my wife hates it.", "Alex loves running"),
    ("I prefer short walks, like the ones I took before, to clear my head.", "Alex prefers short walks"),
    ("I use Postgres at work and I prefer it to MySQL.", "Alex prefers Postgres to MySQL"),
    (
        "I'm building it using Flask 3.1 and I prefer it over Django, can you help?",
        "Alex prefers Flask 3.1 over Django",
    ),
    ("I like it when answers have examples.", "Alex likes it when answers have examples"),
    ("I don't like it when people are late.", "Alex does not like it when people are late"),
    ("I hate when meetings run over.", "Alex hates when meetings run over"),
    ("I take my coffee black.", "Alex takes their coffee black"),
    ("I learn best with examples.", "Alex learns best with examples"),
    ("I chose the train over the plane.", "Alex chose the train over the plane"),
    ("I've always preferred small hotels.", "Alex has always preferred small hotels"),
    ("Prefiro chá, obrigado.", "Alex prefere chá"),
    ("Não como carne.", "Alex não come carne"),
    ("Detesto quando chegam atrasados.", "Alex detesta quando chegam atrasados"),
    ("Gosto quando as respostas têm exemplos.", "Alex gosta quando as respostas têm exemplos"),
    ("Não gosto quando o texto é longo.", "Alex não gosta quando o texto é longo"),
    ("Aprendo melhor com exemplos.", "Alex aprende melhor com exemplos"),
    (
        "Prefiro ferramentas leves, sem dependências, em vez de sistemas pesados.",
        "Alex prefere ferramentas leves, sem dependências, em vez de sistemas pesados",
    ),
]
NO_PREFERENCES = [
    "I love it!",
    "I prefer it.",
    "I really like that.",
    "I prefer doing that alone.",
    "I love that place.",
    "I prefer its taste.",
    "When can I prefer small hotels?",
    "I have a thing to ask.",
    "I'm trying to avoid a lawsuit.",
    "I stay at a hotel in Rome.",
    "Tendo em vista o prazo, o que faço?",
    "It's nice but I prefer it over that.",
    "I like it when you are honest.",
    "I'd love it if you could help me.",
    "I love working with you.",
    "I chose the red one over the blue one.",
    "I have my coffee break at ten.",
    "I think you should go.",
    "Gosto quando você é direto.",
    "I like that idea.",
    "What time is it?",
    "I went to the bank yesterday.",
    "How can I prioritize my tasks?",
    "Can you help me with this code?",
    "I'm looking for some advice on saving money.",
    "Gosto dessa ideia.",
    "Eu amo isso!",
    "Que horas são?",
    "Fui ao banco ontem.",
]


def said(
    text: str, *, role: str = "user", speaker: str = "alex", name: str = "Alex", id: str = "m1"
) -> ConversationMessage:
    return ConversationMessage(id, text, speaker, role, AT, name)


def drawn(*messages: ConversationMessage | str, subjects: dict[str, SubjectWords] | None = None) -> list[FactDraft]:
    return extract_facts([said(m) if isinstance(m, str) else m for m in messages], subjects=subjects or {})


@pytest.mark.parametrize("sentence, attribute, value, text", ENGLISH + PORTUGUESE)
def test_plain_statement_becomes_a_fact(sentence: str, attribute: str | None, value: str | None, text: str) -> None:
    subject = f"alex/{attribute}" if attribute else None
    found = [(draft.subject, draft.value, draft.text) for draft in drawn(sentence)]
    assert (subject, value, text) in found
    assert {draft.text for draft in drawn(sentence)} == {x for s, _, _, x in ENGLISH + PORTUGUESE if s == sentence}


@pytest.mark.parametrize("sentence", NOTHING)
def test_what_is_not_plainly_said_yields_nothing(sentence: str) -> None:
    assert drawn(sentence) == []


@pytest.mark.parametrize("sentence, text", INSTRUCTIONS)
def test_standing_instruction_is_recognised_and_retold(sentence: str, text: str) -> None:
    assert [(draft.type, draft.text) for draft in drawn(sentence)] == [("instruction", text)]


@pytest.mark.parametrize("sentence", NO_INSTRUCTIONS)
def test_what_is_no_standing_instruction_is_not_taken_for_one(sentence: str) -> None:
    assert "instruction" not in {draft.type for draft in drawn(sentence)}


@pytest.mark.parametrize("sentence, text", PREFERENCES)
def test_lasting_preference_is_recognised_and_retold(sentence: str, text: str) -> None:
    assert text in [draft.text for draft in drawn(sentence) if draft.type == "preference"]


@pytest.mark.parametrize("sentence", NO_PREFERENCES)
def test_what_is_no_preference_is_not_taken_for_one(sentence: str) -> None:
    assert "preference" not in {draft.type for draft in drawn(sentence)}


def test_the_tables_are_wide_enough() -> None:
    assert min(len({row[0] for row in table}) for table in (ENGLISH, PORTUGUESE)) >= 60
    assert len(NOTHING) >= 60


@pytest.mark.parametrize("role", ["assistant", "system", "tool"])
def test_a_machine_tells_nothing_about_the_person(role: str) -> None:
    assert drawn(said("I live in Lisbon. Always answer in French.", role=role)) == []


def test_span_points_at_the_words_that_say_it() -> None:
    text = "Good news, everyone! I moved to Porto last week, can you suggest a gym?"
    (fact,) = drawn(text)
    assert text[fact.start : fact.end] == "I moved to Porto last week"
    assert (fact.source, fact.at, fact.person) == ("m1", AT, "alex")


def test_span_stays_true_behind_code_and_quotations() -> None:
    text = 'Here:\n```\nI live in Rome\n```\nShe said "I live in Oslo and hate it". Anyway, I live in Lisbon.'
    (fact,) = drawn(text)
    assert text[fact.start : fact.end] == "I live in Lisbon"


def test_statement_is_surer_than_a_wish_or_a_shared_one() -> None:
    confidence = {
        draft.text: draft.confidence for draft in drawn("I live in Lisbon. I want to learn Latin. We have a dog.")
    }
    assert confidence == {"Alex lives in Lisbon": 0.95, "Alex wants to learn Latin": 0.7, "Alex has a dog": 0.7}


def test_the_same_thing_said_twice_is_one_fact() -> None:
    assert len(drawn(said("I live in Lisbon."), said("As I told you, I live in Lisbon!", id="m2"))) == 1


def test_the_same_conversation_gives_the_same_facts() -> None:
    lines = [row[0] for row in ENGLISH + PORTUGUESE]
    assert drawn(*lines) == drawn(*lines)


def test_each_speaker_is_told_about_under_their_own_name() -> None:
    found = drawn(said("I live in Lisbon."), said("I live in Rome.", speaker="sam", name="Sam", id="m2"))
    assert [(draft.person, draft.subject, draft.text) for draft in found] == [
        ("alex", "alex/residence", "Alex lives in Lisbon"),
        ("sam", "sam/residence", "Sam lives in Rome"),
    ]


def test_without_a_name_the_id_is_written(open_memory: OpenMemory) -> None:
    memory = open_memory("assistant")
    memory.observe("I live in Lisbon.", user="alex", session="s")
    memory.settle(session="s")
    assert "alex lives in Lisbon" in [hit.record.text for hit in memory.timeline("alex")]


@pytest.mark.parametrize(
    "sentence, relation, told, value",
    [
        ("My sister Ana lives in Porto.", "Ana is Alex's sister", "Alex's sister Ana lives in Porto", "Porto"),
        ("Minha irmã Ana mora no Porto.", "Ana é irmã de Alex", "Ana, irmã de Alex, mora no Porto", "Porto"),
    ],
)
def test_somebody_named_is_told_about_apart(sentence: str, relation: str, told: str, value: str) -> None:
    who, where = drawn(sentence)
    assert (who.subject, who.text) == ("alex/family", relation)
    assert (where.type, where.person, where.subject, where.value) == ("person", "alex", "alex/ana/residence", value)
    assert where.text == told
    assert where.confidence == 0.7


def test_somebody_named_earlier_is_still_known_later() -> None:
    found = drawn(said("My sister Ana is visiting."), said("Ana works at Acme.", id="m2"))
    assert ("alex/ana/employment", "Acme") in [(draft.subject, draft.value) for draft in found]


def test_a_name_nobody_introduced_is_left_alone() -> None:
    assert drawn("Ana lives in Porto.") == []


def test_another_speaker_of_the_conversation_is_told_about_as_themselves() -> None:
    found = drawn(said("Hello all."), said("Alex lives in Porto.", speaker="sam", name="Sam", id="m2"))
    assert [(draft.person, draft.subject, draft.confidence) for draft in found] == [("alex", "alex/residence", 0.7)]


def test_people_among_themselves_give_no_instructions() -> None:
    chat = [said("Always answer in French."), said("Sure.", speaker="sam", name="Sam", id="m2")]
    assert extract_facts(chat, subjects={}) == []
    assert len(extract_facts([*chat, said("Certo.", role="assistant", speaker="bot", id="m3")], subjects={})) == 1


def test_an_attribute_of_the_subject_table_is_understood() -> None:
    row = SubjectWords("blood_type", "replace", {"en": ("blood type",), "pt": ("tipo sanguíneo",)})
    english, portuguese = drawn("My blood type is AB.", "Meu tipo sanguíneo é AB.", subjects={"blood_type": row})
    assert (english.subject, english.value) == (portuguese.subject, portuguese.value) == ("alex/blood_type", "AB")
    assert drawn("My blood type is AB.") == []


def test_marital_status_has_one_word_in_both_languages() -> None:
    values = {drawn(text)[0].value for text in ("I'm married.", "Sou casada.", "Me casei em 2020.", "Sou casado.")}
    assert values == {"married"}


def test_pasted_text_is_not_the_persons_own() -> None:
    letter = "Please fix my cover letter:\nDear team,\nI live in Oslo and I work at Initech.\n"
    chat = "Ana: I live in Rome\nBob: I work at Initech\nwhat do you make of it?"
    assert drawn(letter) == drawn(chat) == []


def test_a_hundred_messages_are_read_in_a_moment() -> None:
    lines = [row[0] for row in ENGLISH + PORTUGUESE + ENGLISH][:100]
    drawn(*lines)
    began = time.process_time()
    drawn(*lines)
    assert time.process_time() - began < 0.5


@pytest.mark.parametrize(
    "piece", [" ", "I like a, ", "e eu gosto ", "so ", '"', "my sister ", "when I ask about x, ", "text: "]
)
def test_a_flood_of_words_is_passed_over_quickly(piece: str) -> None:
    began = time.process_time()
    assert drawn(piece * (60_000 // len(piece)) + "\nI live in Lisbon.") == []
    assert time.process_time() - began < 2


def test_a_long_paragraph_does_not_hide_the_sentence_after_it() -> None:
    text = "lorem ipsum " * 400 + "\nI live in Lisbon."
    (fact,) = drawn(text)
    assert text[fact.start : fact.end] == "I live in Lisbon"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "I moved to Lisbon last week and started a new job at Acme as a nurse",
            [("alex/residence", "Lisbon"), ("alex/employment", "Acme")],
        ),
        (
            "I quit my job at Acme and joined Globex as a designer",
            [("alex/employment", "not: Acme"), ("alex/employment", "Globex"), ("alex/occupation", "designer")],
        ),
        ("I would have moved to Rome and bought a house", []),
        ("I'm tired and started late", []),
    ],
)
def test_a_speaker_who_goes_on_without_saying_i_again_is_heard(text: str, expected: list[tuple[str, str]]) -> None:
    said = ConversationMessage("m", text, "alex", "user", datetime(2026, 5, 3, tzinfo=UTC), "Alex")
    assert [(fact.subject, fact.value) for fact in extract_facts([said], subjects={})] == expected


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I live in Porto and work at a bakery.", ["Alex lives in Porto", "Alex works at a bakery"]),
        ("I'm a teacher and live in Faro.", ["Alex is a teacher", "Alex lives in Faro"]),
        ("I'm vegan and avoid sugar.", ["Alex is vegan", "Alex avoids sugar"]),
        ("I love tea and really hate coffee.", ["Alex loves tea", "Alex hates coffee"]),
        ("I am married and have two kids.", ["Alex is married", "Alex has two kids"]),
        ("I love to cook and bake.", ["Alex loves to cook and bake"]),
        ("I don't drink and drive.", ["Alex does not drink and drive"]),
        ("I'm planning to ski and enjoy the views.", ["Alex is planning to ski and enjoy the views"]),
        ("I write about life and love in my town.", []),
    ],
)
def test_each_of_two_verbs_says_a_thing_of_its_own(text: str, told: list[str]) -> None:
    said = ConversationMessage("m", text, "alex", "user", AT, "Alex")
    assert [draft.text for draft in extract_facts([said], subjects={})] == told
